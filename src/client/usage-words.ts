import type { Usage } from "../protocol/index.ts";

/** What a turn has used, and by which model, in one line; empty where nothing is known. */
export function usageWords({ model, usage }: { model?: string; usage?: Usage }): string {
  const parts = [model, usage && tokens(usage), usage?.cost === undefined ? "" : money(usage.cost)];
  return parts.filter(Boolean).join(" · ");
}

function tokens({ input, output }: Usage): string {
  return `${number(input)} tokens in, ${number(output)} out`;
}

/** `12,345`, in every browser. */
function number(value: number): string {
  return Math.round(value)
    .toString()
    .replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

function money(dollars: number): string {
  return dollars > 0 && dollars < 0.01 ? "less than $0.01" : `$${dollars.toFixed(2)}`;
}
