import type { ComponentProps, ComponentType } from "react";
import { loadOnDemand } from "./load-on-demand.tsx";

/*
 * Components that a card can be drawn without: what an approval is about, all that asks for more than
 * a yes, what is seen once an approval has ended, and what few people open. All of them are loaded
 * together, after the page is there; nothing can be allowed before.
 */
type Components = typeof import("./components-to-load.ts");

function onDemand<Name extends keyof Components>(name: Name) {
  type Loaded = ComponentType<ComponentProps<Components[Name]>>;
  return loadOnDemand(async () => (await import("./components-to-load.ts"))[name] as Loaded);
}

export const AboutCall = /* @__PURE__ */ onDemand("AboutCall");
export const CardNotice = /* @__PURE__ */ onDemand("CardNotice");
export const DenyReason = /* @__PURE__ */ onDemand("DenyReason");
export const DiffView = /* @__PURE__ */ onDemand("DiffView");
export const EditInput = /* @__PURE__ */ onDemand("EditInput");
export const FileChanges = /* @__PURE__ */ onDemand("FileChanges");
export const Form = /* @__PURE__ */ onDemand("Form");
export const InputMissing = /* @__PURE__ */ onDemand("InputMissing");
export const KeyHint = /* @__PURE__ */ onDemand("KeyHint");
export const MoreChoices = /* @__PURE__ */ onDemand("MoreChoices");
export const PlainApproval = /* @__PURE__ */ onDemand("PlainApproval");
export const PlainQuestions = /* @__PURE__ */ onDemand("PlainQuestions");
export const Questions = /* @__PURE__ */ onDemand("Questions");
export const DecidedApproval = /* @__PURE__ */ onDemand("DecidedApproval");
export const ReadToItsEnd = /* @__PURE__ */ onDemand("ReadToItsEnd");
export const ReasonRow = /* @__PURE__ */ onDemand("ReasonRow");
export const ToolInput = /* @__PURE__ */ onDemand("ToolInput");
export const TimeLeft = /* @__PURE__ */ onDemand("TimeLeft");
