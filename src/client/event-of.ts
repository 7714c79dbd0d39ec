import type { ChatEvent, EventType } from "../protocol/index.ts";

export type EventOf<Type extends EventType> = Extract<ChatEvent, { type: Type }>;
