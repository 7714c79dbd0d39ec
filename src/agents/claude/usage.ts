import type { Turn } from "../../core/index.ts";
import type { SdkMessage } from "./sdk.ts";

type Result = Extract<SdkMessage, { type: "result" }>;
type Used = Parameters<Turn["usage"]>[0];

/** What was used since the result before: older versions tell of costs only since their start. */
export function usedSince(message: Result, costBefore: number): Used | undefined {
  const models = Object.values(message.model_usage_since_last_result ?? {});
  if (models.length > 0) {
    return {
      input: sum(
        models.flatMap((one) => [
          one.inputTokens,
          one.cacheReadInputTokens,
          one.cacheCreationInputTokens,
        ]),
      ),
      output: sum(models.map(({ outputTokens }) => outputTokens)),
      cost: sum(models.map(({ costUSD }) => costUSD)),
    };
  }
  const usage = message.usage as Record<string, number | undefined> | undefined;
  if (!usage) return undefined;
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage;
  return {
    input: sum([input_tokens, cache_read_input_tokens, cache_creation_input_tokens]),
    output: sum([usage["output_tokens"]]),
    ...(message.total_cost_usd === undefined
      ? {}
      : { cost: costSince(message.total_cost_usd, costBefore) }),
  };
}

/** Each process counts from nought. */
function costSince(total: number, before: number): number {
  return total < before ? total : total - before;
}

function sum(numbers: (number | undefined)[]): number {
  return numbers.reduce<number>((total, one) => total + (one ?? 0), 0);
}
