import { useTransport } from "../../src/react/index.ts";

const EXAMPLES = [
  { text: "/tour", about: "see every kind of prompt, one after the other" },
  { text: '/call bash {"command": "ls"}', about: "an approval before something runs" },
  { text: "/help", about: "what else the demo agent can show" },
];

interface EmptyChatProps {
  agent?: string;
  sessionId: string;
  onSent: () => void;
}

/** Teaches by doing: each line is a message that can be sent with one click. */
export function EmptyChat({ agent, sessionId, onSent }: EmptyChatProps) {
  const transport = useTransport();
  const send = (text: string): void => {
    // What did not arrive can be pressed again.
    transport.sendMessage(sessionId, { text }).then(onSent, () => {});
  };
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
              <button className="example" onClick={() => send(text)}>
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
