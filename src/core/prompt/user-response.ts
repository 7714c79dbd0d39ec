import type { InteractionResponse } from "../../protocol/index.ts";
import type { UserResponse } from "../call/tool.ts";

/** What a tool's hook hears of a response: with its secret values, which nothing else holds. */
export function toUserResponse(
  response: InteractionResponse,
  secrets: Record<string, unknown>,
): UserResponse {
  const { action, approvalScope, optionId, input, updatedInput, stop, reason } = response;
  const scope = action === "approve" ? (approvalScope ?? "once") : undefined;
  const values = input || Object.keys(secrets).length > 0 ? { ...input, ...secrets } : undefined;
  return {
    action,
    ...(scope ? { approvalScope: scope } : {}),
    ...(optionId === undefined ? {} : { optionId }),
    ...(values ? { input: values } : {}),
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...(stop === undefined ? {} : { stop }),
    ...(reason === undefined ? {} : { reason }),
  };
}
