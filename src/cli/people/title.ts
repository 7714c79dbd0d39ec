import { promptTitle } from "../../client/index.ts";
import type { InteractionRequest } from "../../protocol/index.ts";

/** What a prompt is called, in one line; as it came, so `visible` is still to be done. */
export function titleOf(request: InteractionRequest): string {
  const { prompt, questions } = request;
  const [only] = questions?.length === 1 && prompt === undefined ? questions : [];
  return only?.question ?? promptTitle(request);
}
