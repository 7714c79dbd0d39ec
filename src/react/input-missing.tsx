import type { LoadedInput } from "./use-tool-input.ts";

/** Why an input is not on screen yet: nothing is approved unseen. */
export function InputMissing({ input }: { input: LoadedInput }) {
  if (input.status === "failed")
    return (
      <p className="bk-problem" role="alert">
        The input of this call could not be read, so it cannot be approved yet.{" "}
        <button type="button" onClick={input.reload}>
          Read it again
        </button>
      </p>
    );
  return (
    <p className="bk-notice" role="status">
      Reading the whole input ({Math.ceil((input.bytes ?? 0) / 1024)} KiB). Approve works once it is
      here.
    </p>
  );
}
