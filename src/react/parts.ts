import type { ComponentProps, ComponentType } from "react";
import { later } from "./later.tsx";

/*
 * What a card can be drawn without: all that asks for more than a yes, changes of files, what is
 * seen once an approval has ended, and what few people open. They come together, after the page is
 * there.
 */
type Rest = typeof import("./rest.ts");

function part<Name extends keyof Rest>(name: Name) {
  type Part = ComponentType<ComponentProps<Rest[Name]>>;
  return later(async () => (await import("./rest.ts"))[name] as Part);
}

export const AboutCall = /* @__PURE__ */ part("AboutCall");
export const CardNotice = /* @__PURE__ */ part("CardNotice");
export const DenyReason = /* @__PURE__ */ part("DenyReason");
export const DiffView = /* @__PURE__ */ part("DiffView");
export const EditInput = /* @__PURE__ */ part("EditInput");
export const Form = /* @__PURE__ */ part("Form");
export const InputMissing = /* @__PURE__ */ part("InputMissing");
export const MoreChoices = /* @__PURE__ */ part("MoreChoices");
export const PlainApproval = /* @__PURE__ */ part("PlainApproval");
export const PlainQuestions = /* @__PURE__ */ part("PlainQuestions");
export const Questions = /* @__PURE__ */ part("Questions");
export const Ran = /* @__PURE__ */ part("Ran");
export const ReadToItsEnd = /* @__PURE__ */ part("ReadToItsEnd");
export const ReasonRow = /* @__PURE__ */ part("ReasonRow");
export const TimeLeft = /* @__PURE__ */ part("TimeLeft");
