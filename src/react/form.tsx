import type { ReactNode } from "react";
import { promptTitle, visibleText } from "../client/index.ts";
import { isBlank, ownValue, submitLabel, valueInWords } from "../client/form-values.ts";
import type { Field, Section } from "../protocol/index.ts";
import { Card } from "./card.tsx";
import { FormField } from "./form-field.tsx";
import type { InputFormProps } from "./input-form.tsx";
import { Leave } from "./leave.tsx";
import { LinkOut } from "./link-out.tsx";
import { Unsent } from "./unsent.tsx";
import { hasTicks, type InputFormModel, useInputForm } from "./use-input-form.ts";

/** The card of a form, whatever it asks for. */
export function Form(props: InputFormProps) {
  const model = useInputForm(props);
  const { card, fields } = model;
  const { prompt, context, link, inputSchema: schema } = card.interaction.request;
  return (
    <Card
      {...props}
      card={card}
      kind="form"
      send={model.submit}
      chord="submits"
      keys={[
        ...(fields.some(hasTicks) ? ["1–9 choose"] : []),
        ...(model.enterSubmits ? ["Enter submits"] : []),
      ]}
      ended={<Filled model={model} />}
      actions={
        <div className="bk-row">
          <div className="bk-buttons">
            <button
              type="button"
              data-decision="submit"
              disabled={!card.armed}
              onClick={model.submit}
            >
              {card.state === "submitting" ? "Sending…" : visibleText(submitLabel(schema))}
            </button>
            <Leave {...model} schema={schema} />
          </div>
        </div>
      }
    >
      {context?.title !== undefined && <Words text={context.title} />}
      {prompt !== undefined && schema?.title !== undefined && prompt !== schema.title && (
        <Words text={prompt} />
      )}
      {schema?.description !== undefined && <Words text={schema.description} />}
      {link && <LinkOut url={link.url} />}
      {model.sections.map((section) => (
        <FormSection key={section.id} model={model} section={section} />
      ))}
      <Unplaced model={model} />
    </Card>
  );
}

function Words({ text }: { text: string }) {
  return <p className="bk-words">{visibleText(text, { multiline: true })}</p>;
}

function FormSection({ model, section }: { model: InputFormModel; section: Section }) {
  const included = model.isIncluded(section);
  const fields =
    included &&
    section.fields.map((field) => <FormField key={field.id} model={model} field={field} />);
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
    <div role="alert" className="bk-error">
      {left.map(([id, error]) => (
        <p key={id}>{visibleText(`${id}: ${error}`)}</p>
      ))}
    </div>
  ) : null;
}

/** Afterwards: what was filled in, by whoever did, and what was typed here and not sent. */
function Filled({ model: { card, fields, values, touched } }: { model: InputFormModel }) {
  const { response, request } = card.interaction;
  const { showInputs, summaryTemplate } = request.completedView ?? {};
  const given = response?.input;
  const sent = given !== undefined && response?.responder.clientId === card.clientId;
  return (
    <>
      {given && (showInputs ?? summaryTemplate === undefined) && (
        <Folded isLong={fields.length > FEW}>
          <Values
            title={promptTitle(request)}
            fields={fields}
            values={given}
            secretFields={response?.secretFields}
          />
        </Folded>
      )}
      {touched && !sent && (
        <Unsent>
          <Values fields={fields} values={values} />
        </Unsent>
      )}
    </>
  );
}

const FEW = 3;

function Folded({ isLong, children }: { isLong: boolean; children: ReactNode }) {
  if (!isLong) return children;
  return (
    <details>
      <summary>What was answered</summary>
      {children}
    </details>
  );
}

interface ValuesProps {
  /** What is on screen already. */
  title?: string;
  fields: Field[];
  values: Record<string, unknown>;
  secretFields?: string[];
}

function Values({ title, fields, values, secretFields }: ValuesProps) {
  return (
    <dl className="bk-values">
      {fields.map((field) => {
        const value = ownValue(values, field.id);
        const secret = secretFields?.includes(field.id) ?? false;
        if (!secret && (field.type === "secret" || isBlank(value))) return null;
        return (
          <div key={field.id}>
            <dt className={field.label === title ? "bk-unseen" : undefined}>
              {visibleText(field.label)}
            </dt>
            <dd>
              {secret
                ? "Given, not kept"
                : visibleText(valueInWords(field, value), { multiline: true })}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
