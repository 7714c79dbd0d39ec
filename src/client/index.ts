export type { BlockView, ChatView, InteractionView, ToolCallView, TurnView } from "./view.ts";
