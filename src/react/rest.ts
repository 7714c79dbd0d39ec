export { DenyReason } from "./deny-reason.tsx";
export { EditInput } from "./edit-input.tsx";
export { Form } from "./form.tsx";
export { Questions } from "./questions.tsx";
export { Ran } from "./ran.tsx";
export { InputMissing } from "./input-missing.tsx";
export { PlainApproval } from "./plain-approval.tsx";
export { PlainQuestions } from "./plain-questions.tsx";
