import { Ban, Check, ChevronRight, LoaderCircle, X } from "lucide-react";
import { useId, useState } from "react";
import {
  callEnd,
  type CallEnd,
  type ChatView,
  promptsOf,
  type ToolCallView,
  visibleText,
} from "../../src/client/index.ts";
import { InteractionCard, useTransport } from "../../src/react/index.ts";
import { usePreferences } from "../preferences.ts";
import { EarlierSteps } from "./earlier-steps.tsx";
import { commandResultOf } from "./command-result.ts";
import { describeCall, subAgentOf } from "./describe-call.ts";
import { exitWords } from "./exit-words.ts";
import { ToolInput } from "./tool-input.tsx";
import { ToolOutput } from "./tool-output.tsx";

const STATUS: Record<ToolCallView["status"], string> = {
  running: "Running",
  waiting: "Waiting for your answer",
  ok: "Done",
  error: "Failed",
};

/**
 * One use of a tool: what it is, its latest prompt, and what it got and gave. Folds up when done, but
 * for what came of an answer: that stands below the prompt.
 */
export function ToolCall({ call, view }: { call: ToolCallView; view: ChatView }) {
  const { interactive } = usePreferences();
  const [toggled, setToggled] = useState<boolean>();
  const inside = useId();
  const prompts = promptsOf(view, call.id);
  const asking = prompts.some(({ state }) => state === "open");
  const asked = prompts.length > 0;
  // What came of an answer is worth seeing; a card that was allowed has its input already.
  const open = toggled ?? (!asking && (call.status === "running" || asked));
  const isApproval = prompts.some(({ request }) => request.interactionType === "approval");
  const exitCode = commandResultOf(call)?.exitCode ?? 0;
  const end = callEnd(view, call, useTransport().clientId);
  const by = subAgentOf(view, call);
  const went = wentHow(call, exitCode !== 0, end);
  return (
    <section
      className="tool-call"
      data-status={asking ? "waiting" : went}
      data-nested={call.parentCallId === undefined ? undefined : ""}
    >
      <button
        className="tool-head"
        aria-expanded={open}
        aria-controls={inside}
        onClick={() => setToggled(!open)}
      >
        <ChevronRight aria-hidden size={15} className="chevron" />
        <StatusIcon status={went} />
        <span className="min-w-0 truncate font-mono text-[0.8125rem] font-medium">
          {visibleText(call.name)}
        </span>
        <span className="min-w-0 flex-1 truncate text-sm text-soft">{describeCall(call)}</span>
        {by !== undefined && <span className="shrink-0 text-xs text-soft">by {by}</span>}
        {call.edited && <span className="shrink-0 text-xs text-soft">edited</span>}
        <span className={went === "ok" || went === "running" ? "sr-only" : "tool-status"}>
          {exitCode === 0 ? (end?.words ?? STATUS[call.status]) : exitWords(exitCode)}
        </span>
      </button>
      {prompts.map((prompt) => (
        <div key={prompt.id} className="grid gap-2 px-[min(0.75rem,4vw)] pb-3">
          <EarlierSteps view={view} prompt={prompt} />
          <InteractionCard
            sessionId={view.sessionId}
            interaction={prompt}
            interactive={interactive}
            embedded
          />
        </div>
      ))}
      <div id={inside} className="tool-body" hidden={!open}>
        {open && (
          <>
            {!isApproval && <ToolInput call={call} />}
            <ToolOutput call={call} end={end} asked={asked} />
          </>
        )}
      </div>
    </section>
  );
}

/** `ended`: it did not do its work, and nothing went wrong. */
type Went = ToolCallView["status"] | "ended";

function wentHow({ status }: ToolCallView, failed: boolean, end: CallEnd | undefined): Went {
  if (end && !end.isFault) return "ended";
  return status === "ok" && failed ? "error" : status;
}

/** What a look at its icon does not tell enough about. */
function StatusIcon({ status }: { status: Went }) {
  if (status === "ended") return <Ban aria-hidden size={15} className="shrink-0 text-soft" />;
  if (status === "ok") return <Check aria-hidden size={15} className="shrink-0 text-done" />;
  if (status === "error") return <X aria-hidden size={15} className="shrink-0 text-danger" />;
  if (status === "waiting") return <span aria-hidden className="dot-waiting" />;
  return <LoaderCircle aria-hidden size={15} className="spin shrink-0 text-soft" />;
}
