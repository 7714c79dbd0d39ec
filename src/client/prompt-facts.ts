import type { InteractionRequest } from "../protocol/index.ts";

const FACTS = [
  ["Asked by", "askedBy"],
  ["Folder", "cwd"],
  ["Path", "blockedPath"],
  ["What", "title"],
  ["Details", "description"],
  ["Why", "reason"],
] as const;

/**
 * What the server knows of a prompt, by name; as it came, so `visibleText` is still to be done. A
 * runtime may pass on what the model wrote into the input: that is no fact, and stands there already.
 */
export function factsOf(request: InteractionRequest): [string, string][] {
  const { asker, toolInput, title } = request;
  const context = { ...request.context, ...(title === undefined ? {} : { title }) };
  const written = new Set(Object.values(toolInput ?? {}));
  return FACTS.flatMap(([name, key]) => {
    const isProgram = key === "askedBy" && asker && asker.kind !== "agent";
    const text = isProgram ? asker.name : context[key];
    const isInInput = key === "description" || key === "blockedPath";
    const isWritten = isInInput && written.has(text);
    return text === undefined || isWritten ? [] : [[name, text] as [string, string]];
  });
}
