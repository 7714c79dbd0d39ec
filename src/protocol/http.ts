import { z } from "zod";
import { ClientId } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import { PermissionMode } from "./records.ts";

export const Delivery = z.enum(["queue", "steer", "interrupt"]);
export type Delivery = z.infer<typeof Delivery>;

export const ExchangeBody = z.looseObject({ code: z.string().min(1).max(200) });

const Title = z.string().trim().min(1).max(LIMITS.titleCharacters);

export const CreateSessionBody = z.looseObject({
  agent: z.string().min(1).max(64).optional(),
  title: Title.optional(),
  cwd: z.string().min(1).max(4096).optional(),
  permissionMode: PermissionMode.optional(),
});
export type CreateSessionBody = z.infer<typeof CreateSessionBody>;

export const PatchSessionBody = z.looseObject({
  title: Title.optional(),
  permissionMode: PermissionMode.optional(),
});
export type PatchSessionBody = z.infer<typeof PatchSessionBody>;

export const MessageBody = z.looseObject({
  content: z.string().min(1),
  messageId: ClientId.optional(),
  delivery: Delivery.optional(),
});

export const CancelBody = z.looseObject({ turnId: z.string().max(200).optional() });
