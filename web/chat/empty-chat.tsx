import { useTransport } from "../parts.ts";

const EXAMPLES = [
  { text: "/tour", about: "see every kind of prompt, one after the other" },
  { text: '/call bash {"command": "ls"}', about: "an approval before something runs" },
  { text: "/help", about: "what else the demo agent can show" },
];

/** Teaches by doing: each line is a message that can be sent with one click. */
export function EmptyChat({ agent, sessionId }: { agent?: string; sessionId: string }) {
  const transport = useTransport();
  return (
    <div className="column py-14">
      <h2 className="mb-2 text-xl font-semibold tracking-tight">A new conversation</h2>
      <p className="mb-6 max-w-prose text-soft">
        Write below. When the agent needs you, its question stands here and in the inbox until
        somebody answers, on this device or another.
      </p>
      {agent === "demo" && (
        <ul className="grid gap-2">
          {EXAMPLES.map(({ text, about }) => (
            <li key={text}>
              <button
                className="example"
                onClick={() => void transport.sendMessage(sessionId, { text }).catch(() => {})}
              >
                <code className="break-all">{text}</code>
                <span className="text-soft">{about}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
