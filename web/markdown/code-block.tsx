import { CopyButton } from "../shell/copy-button.tsx";

export function CodeBlock({ text, language }: { text: string; language: string }) {
  return (
    <div className="code-block">
      <div className="code-head">
        <span>{language || "text"}</span>
        <CopyButton text={text} what="code" />
      </div>
      <pre tabIndex={0} aria-label={`Code, ${language || "text"}`} role="group">
        <code>{text}</code>
      </pre>
    </div>
  );
}
