import type { InteractionView } from "../client/index.ts";
import type { Field, Section } from "../protocol/index.ts";
import {
  type FieldValue,
  findErrors,
  type FormValues,
  isBlank,
  isOneLine,
  own,
  sectionsOf,
  startValue,
  toInput,
} from "./form-values.ts";
import { type CardModel, useCard } from "./use-card.ts";
import { attemptOf, useDraft } from "./use-draft.ts";

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
  const secretFields = fields.filter(({ type }) => type === "secret").map(({ id }) => id);
  const draftId = interaction.id;
  const attempts = {
    now: attemptOf(sessionId, interaction, 0),
    next: attemptOf(sessionId, interaction, 1),
  };
  const card = useCard({ ...options, draftId, secretFields });
  const { state, touched, change } = useDraft<FormDraft>(
    draftId,
    (kept) => {
      const values = Object.fromEntries(
        fields.map((field) => [field.id, startValue(field, { ...interaction, kept: kept.values })]),
      );
      const filled = (section: Section) =>
        section.fields.some(({ id }) => values[id] !== false && !isBlank(values[id]));
      return {
        values,
        included: Object.fromEntries(
          sections.map((section) => [
            section.id,
            own(kept.included ?? {}, section.id) ?? filled(section),
          ]),
        ),
      };
    },
    ({ values, included }) => ({
      values: Object.fromEntries(
        Object.entries(values).filter(([id]) => !secretFields.includes(id)),
      ),
      included,
    }),
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
