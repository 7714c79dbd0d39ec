import type { InteractionView } from "../client/index.ts";
import {
  type FieldValue,
  findErrors,
  type FormValues,
  isFilled,
  isList,
  isTick,
  ownValue,
  secretFieldIds,
  sectionsOf,
  startValues,
  toInput,
  withoutSecrets,
} from "../client/form-values.ts";
import { attemptKey } from "../client/prompt-drafts.ts";
import type { Field, Section } from "../protocol/index.ts";
import { type CardModel, useCard } from "./use-card.ts";
import { useDraft } from "./use-draft.ts";

export interface InputFormOptions {
  sessionId: string;
  interaction: InteractionView;
  /** Whether people may answer here. By default as the provider says. */
  interactive?: boolean;
}

/** A form without its markup: what it asks for, what stands in it, and what a person may do. */
export interface InputFormModel {
  card: CardModel;
  /** Fields outside of a section come first, in one without a title. */
  sections: Section[];
  fields: Field[];
  values: FormValues;
  /** Whether an optional section is part of the answer, by its id. */
  isIncluded: (section: Section) => boolean;
  include: (section: Section, included: boolean) => void;
  setValue: (fieldId: string, value: FieldValue) => void;
  /** Something stands in it that was typed here. */
  touched: boolean;
  submit: () => void;
  /** It asks for one line of text and nothing else, so Enter in it sends it. */
  enterSubmits: boolean;
  /** Ends the prompt without an answer. */
  cancel: () => void;
  /** Ends it with a no. */
  decline: () => void;
}

interface FormDraft {
  values: FormValues;
  included: Record<string, boolean>;
}

/** State and handlers of a form, for those who draw their own card. */
export function useInputForm(options: InputFormOptions): InputFormModel {
  const { sessionId, interaction } = options;
  const schema = interaction.request.inputSchema;
  const sections = sectionsOf(schema);
  const fields = sections.flatMap((section) => section.fields);
  const draftId = interaction.id;
  const attempts = {
    now: attemptKey(sessionId, interaction, 0),
    next: attemptKey(sessionId, interaction, 1),
  };
  const card = useCard({ ...options, draftId, secretFields: secretFieldIds(schema) });
  const { state, touched, change } = useDraft<FormDraft>(
    draftId,
    (kept) => {
      const values = startValues({ ...interaction, kept: kept.values });
      return {
        values,
        included: Object.fromEntries(
          sections.map((section) => [
            section.id,
            ownValue(kept.included ?? {}, section.id) ?? isFilled(section, values),
          ]),
        ),
      };
    },
    ({ values, included }) => ({ values: withoutSecrets(values, schema), included }),
    attempts,
  );
  const { values, included } = state;
  const isIncluded = (section: Section) =>
    section.optional !== true || included[section.id] === true;

  function submit() {
    if (!card.armed) return;
    const asked = sections.filter(isIncluded).flatMap((section) => section.fields);
    const errors = findErrors(asked, values);
    if (Object.keys(errors).length > 0) return card.refuse(errors);
    const input = toInput(asked, values);
    void card.respond({ action: "submit", ...(fields.length > 0 ? { input } : {}) });
  }

  return {
    card,
    sections,
    fields,
    values,
    isIncluded,
    include: (section, on) => change({ included: { ...included, [section.id]: on } }),
    setValue(fieldId, value) {
      card.clearError(fieldId);
      change({ values: { ...values, [fieldId]: value } });
    },
    touched,
    submit,
    enterSubmits: fields.length === 1 && fields.every(isOneLine),
    cancel: () => void card.respond({ action: "cancel" }),
    decline: () => void card.respond({ action: "deny" }),
  };
}

/** Its options are on screen, each with a number. Those of a select are not. */
export function hasTicks(field: Field): boolean {
  return field.type === "radio" || isList(field);
}

/** Its control is one line that is typed into, where Enter has nothing else to do. */
function isOneLine(field: Field): boolean {
  return field.type !== "textarea" && field.type !== "select" && !hasTicks(field) && !isTick(field);
}
