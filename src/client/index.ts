export { emptyView, prepend, reduce, reduceAll, withOpen } from "./reduce.ts";
export type { BlockView, ChatView, InteractionView, ToolCallView, TurnView } from "./view.ts";
