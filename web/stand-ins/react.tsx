import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import type { InteractionView } from "../../src/client/index.ts";
import type { Field, ResponseBody } from "../../src/protocol/index.ts";
import type { Transport } from "../../src/transport/index.ts";
import { type ChatState, createChatSession } from "./client.ts";

const TransportContext = createContext<Transport | null>(null);

export function TransportProvider(props: { transport: Transport; children: ReactNode }) {
  return <TransportContext value={props.transport}>{props.children}</TransportContext>;
}

export function useTransport(): Transport {
  const transport = use(TransportContext);
  if (!transport) throw new Error("Put a <TransportProvider> around this.");
  return transport;
}

export function useChatSession(sessionId: string): ChatState & { loadOlder: () => Promise<void> } {
  const transport = useTransport();
  const chat = useMemo(() => createChatSession(transport, sessionId), [transport, sessionId]);
  useEffect(() => () => chat.close(), [chat]);
  const state = useSyncExternalStore(chat.subscribe, chat.getSnapshot);
  return { ...state, loadOlder: chat.loadOlder };
}

export function LiveRegion() {
  return <div role="status" aria-live="polite" className="sr-only" />;
}

/** One simple card for everything; the real ones take its place. */
export function InteractionCard(props: {
  sessionId: string;
  interaction: InteractionView;
  interactive: boolean;
}) {
  const { sessionId, interaction } = props;
  const { request, response } = interaction;
  const transport = useTransport();
  const [error, setError] = useState<string>();
  const [values, setValues] = useState<Record<string, unknown>>({});
  const send = async (body: ResponseBody) => {
    const reply = await transport.respond(
      { sessionId, toolCallId: interaction.callId, interactionId: interaction.id },
      { responseId: crypto.randomUUID(), ...body },
    );
    setError(reply.ok ? undefined : JSON.stringify(reply.fieldErrors ?? reply.error));
  };
  const open = interaction.state === "open";
  const fields =
    request.inputSchema?.fields ?? request.inputSchema?.sections?.flatMap((s) => s.fields) ?? [];
  const answers = values as Record<string, string>;
  return (
    <section
      className={`rounded-xl border p-4 ${open ? "border-waiting-line bg-waiting-ground" : "border-line bg-card"}`}
    >
      <h3 className="font-medium">
        {request.prompt ?? request.inputSchema?.title ?? request.toolName}
      </h3>
      {request.error && <p className="text-danger">{request.error}</p>}
      {!open && (
        <p className="text-soft">
          {interaction.state}: {response?.action ?? interaction.reason} {response?.approvalScope}
        </p>
      )}
      {open && request.interactionType === "approval" && (
        <p className="mt-3 flex gap-2">
          {(request.approvalScopes ?? ["once"]).map((approvalScope) => (
            <button
              key={approvalScope}
              className="button"
              onClick={() => void send({ action: "approve", approvalScope })}
            >
              Allow {approvalScope}
            </button>
          ))}
          <button className="button" onClick={() => void send({ action: "deny" })}>
            Deny
          </button>
        </p>
      )}
      {open && request.interactionType === "input" && (
        <form
          className="mt-3 grid gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            void send({
              action: "submit",
              input: request.questions ? { answers } : { ...values },
            });
          }}
        >
          {request.questions?.map((one, at) => (
            <label key={one.question} className="grid gap-1">
              {one.question} ({one.options.map((option) => option.label).join(", ")})
              <input
                className="input"
                onChange={(event) =>
                  setValues({
                    ...values,
                    [at]: one.multiSelect
                      ? JSON.stringify(event.target.value.split(","))
                      : event.target.value,
                  })
                }
              />
            </label>
          ))}
          {fields.map((field) => (
            <SimpleField
              key={field.id}
              field={field}
              set={(value) => setValues({ ...values, [field.id]: value })}
            />
          ))}
          <p className="flex gap-2">
            <button className="button">Submit</button>
            <button
              type="button"
              className="button"
              onClick={() => void send({ action: "cancel" })}
            >
              Cancel
            </button>
          </p>
        </form>
      )}
      {error && <p className="text-danger">{error}</p>}
    </section>
  );
}

function SimpleField({ field, set }: { field: Field; set: (value: unknown) => void }) {
  return (
    <label className="grid gap-1">
      {field.label}
      <input
        className="input"
        type={field.type === "secret" ? "password" : "text"}
        onChange={({ target: { value } }) =>
          set(
            field.type === "number"
              ? Number(value)
              : field.type === "boolean" || (field.type === "checkbox" && !field.options)
                ? value === "true"
                : field.type === "multiselect" || field.type === "checkbox"
                  ? value.split(",")
                  : value,
          )
        }
      />
    </label>
  );
}
