import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { callEnd, type ChatView, visibleText } from "../../src/client/index.ts";
import { useTransport } from "../../src/react/index.ts";
import { ToolCall } from "./tool-call.tsx";

/** Calls next to each other, folded into one line once all of them are done. */
export function ToolGroup({ callIds, view }: { callIds: string[]; view: ChatView }) {
  const calls = callIds.flatMap((id) => view.calls.get(id) ?? []);
  const { clientId } = useTransport();
  const failed = calls.filter((call) => callEnd(view, call, clientId)?.isFault).length;
  const running = calls.some(({ status }) => status === "running" || status === "waiting");
  const [toggled, setToggled] = useState<boolean>();
  const open = toggled ?? running;
  const inside = useId();
  const names = [...new Set(calls.map(({ name }) => visibleText(name)))].join(", ");
  return (
    <section className="tool-call">
      <button
        className="tool-head"
        aria-expanded={open}
        aria-controls={inside}
        onClick={() => setToggled(!open)}
      >
        <ChevronRight aria-hidden size={15} className="chevron" />
        <span className="text-sm font-medium">{calls.length} tool calls</span>
        <span className="min-w-0 flex-1 truncate text-sm text-soft">{names}</span>
        {failed > 0 && <span className="text-xs text-danger">{failed} failed</span>}
      </button>
      <div id={inside} className="grid gap-1.5 px-2 pb-2" hidden={!open}>
        {open && calls.map((call) => <ToolCall key={call.id} call={call} view={view} />)}
      </div>
    </section>
  );
}
