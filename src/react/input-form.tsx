import type { InteractionView } from "../client/index.ts";
import type { Section } from "../protocol/index.ts";
import { Card, type CardProps } from "./card.tsx";
import { FormField } from "./form-field.tsx";
import { isBlank, valueInWords } from "./form-values.ts";
import { LinkOut } from "./link-out.tsx";
import { visibleText } from "./stand-ins.ts";
import { type InputFormModel, useInputForm } from "./use-input-form.ts";

export interface InputFormProps extends CardProps {
  sessionId: string;
  interaction: InteractionView;
}

/** Asks for the fields of a form; for a link, or for nothing but a yes, when there are none. */
export function InputForm(props: InputFormProps) {
  return <Form key={props.interaction.id} {...props} />;
}

function Form(props: InputFormProps) {
  const model = useInputForm(props);
  const { card, fields } = model;
  const { prompt, link, inputSchema: schema, toolName } = card.interaction.request;
  const title = schema?.title ?? prompt ?? `${toolName} asks`;
  return (
    <Card
      {...props}
      card={card}
      kind="form"
      title={title}
      news={`Answer needed: ${prompt ?? title}`}
      send={model.submit}
      keys={`${fields.length > 0 ? "1–9 choose · " : ""}Ctrl+Enter submits · Esc leaves a field`}
      ended={<Filled model={model} />}
    >
      {prompt !== undefined && prompt !== title && <Words text={prompt} />}
      {schema?.description !== undefined && <Words text={schema.description} />}
      {link && <LinkOut url={link.url} />}
      {model.sections.map((section) => (
        <FormSection key={section.id} model={model} section={section} />
      ))}
      <Unplaced model={model} />
      <div className="bk-actions">
        <button
          type="button"
          data-decision="submit"
          disabled={!card.armed}
          onClick={model.submit}
        >
          {card.state === "submitting"
            ? "Sending…"
            : visibleText(schema?.submitLabel ?? (fields.length > 0 ? "Submit" : "Done"))}
        </button>
        <button type="button" onClick={model.cancel}>
          {visibleText(schema?.cancelLabel ?? "Cancel")}
        </button>
      </div>
    </Card>
  );
}

function Words({ text }: { text: string }) {
  return <p className="bk-words">{visibleText(text, { multiline: true })}</p>;
}

function FormSection({ model, section }: { model: InputFormModel; section: Section }) {
  const included = model.isIncluded(section);
  const fields =
    included && section.fields.map((field) => <FormField key={field.id} model={model} field={field} />);
  const title = section.title ?? (section.optional ? "More" : undefined);
  if (title === undefined) return <div className="bk-section">{fields}</div>;
  return (
    <fieldset className="bk-section">
      <legend>
        {section.optional ? (
          <label>
            <input
              type="checkbox"
              checked={included}
              onChange={(event) => model.include(section, event.target.checked)}
            />{" "}
            {visibleText(title)} (optional)
          </label>
        ) : (
          visibleText(title)
        )}
      </legend>
      {section.description !== undefined && (
        <p className="bk-hint">{visibleText(section.description)}</p>
      )}
      {fields}
    </fieldset>
  );
}

/** Errors that name no field of the form are said all the same. */
function Unplaced({ model: { card, fields } }: { model: InputFormModel }) {
  const left = Object.entries(card.fieldErrors).filter(
    ([id]) => !fields.some((field) => field.id === id),
  );
  return left.length > 0 ? (
    <ul role="alert" className="bk-error">
      {left.map(([id, error]) => (
        <li key={id}>{visibleText(`${id}: ${error}`)}</li>
      ))}
    </ul>
  ) : null;
}

/** Afterwards: what was filled in, by whoever did; or what was typed here and not sent. */
function Filled({ model: { card, fields, values, touched } }: { model: InputFormModel }) {
  const { response, request } = card.interaction;
  const view = request.completedView;
  const given = response?.input;
  if (given && !(view?.showInputs ?? view?.summaryTemplate === undefined)) return null;
  const secret = response?.secretFields ?? [];
  const shown = fields.flatMap((field) => {
    if (secret.includes(field.id)) return [{ field, text: "Given, not kept" }];
    if (field.type === "secret") return [];
    const value = given ? given[field.id] : values[field.id];
    if (value === undefined || isBlank(value as string)) return [];
    return [{ field, text: valueInWords(field, value) }];
  });
  if (shown.length === 0 || (!given && !touched)) return null;
  const list = (
    <dl className="bk-values">
      {shown.map(({ field, text }) => (
        <div key={field.id}>
          <dt>{visibleText(field.label)}</dt>
          <dd>{visibleText(text, { multiline: true })}</dd>
        </div>
      ))}
    </dl>
  );
  if (given) return list;
  return (
    <details>
      <summary>What you had typed, not sent</summary>
      {list}
    </details>
  );
}
