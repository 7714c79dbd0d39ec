import { expect, test } from "vitest";
import { LogWriter } from "../../test/support/log-writer.ts";
import { callEnd } from "./call-end.ts";
import { emptyView, reduceAll } from "./reduce.ts";

function endOf(
  code: string,
  act: (writer: LogWriter, prompt: string) => void,
  clientId = "laptop",
) {
  const writer = new LogWriter();
  const call = writer.call(writer.start());
  act(writer, writer.ask(call));
  writer.result(call, { ok: false, error: { code, message: "Why." } });
  const view = reduceAll(emptyView("s"), writer.sent);
  const shown = view.calls.get(call);
  return shown && callEnd(view, shown, clientId);
}

const deny = (writer: LogWriter, prompt: string) =>
  writer.answer(prompt, { action: "deny", reason: "Not today" });

test("a person's no is theirs, not a failure", () => {
  expect(endOf("tool_denied", deny)).toEqual({
    words: "Denied by you: “Not today”",
    isFault: false,
  });
  expect(endOf("tool_denied", deny, "phone")?.words).toBe(
    "Denied on another device by Ada: “Not today”",
  );
  expect(endOf("tool_cancelled", deny)?.words).toBe("Denied by you: “Not today”");
});

test("a time-out, a withdrawal and a stop are nobody's decision", () => {
  const close = (reason: "timed_out" | "cancelled") => (writer: LogWriter, prompt: string) =>
    writer.close(prompt, reason);
  const words = (code: string, reason: "timed_out" | "cancelled") =>
    endOf(code, close(reason))?.words;
  expect(words("interaction_timeout", "timed_out")).toBe("Nobody answered in time");
  expect(words("interaction_cancelled", "cancelled")).toBe("Withdrawn before anybody answered");
  expect(words("tool_cancelled", "cancelled")).toBe("Stopped");
  expect(words("tool_denied", "timed_out")).toBe("Denied");
});

test("what goes wrong in a tool is a failure, whoever allowed it", () => {
  const allow = (writer: LogWriter, prompt: string) => writer.answer(prompt);
  expect(endOf("tool_error", allow)).toEqual({ words: "Failed", isFault: true });
});
