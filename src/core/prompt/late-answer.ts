import {
  fieldsOf,
  type InteractionRequest,
  type InteractionResponse,
  type Sender,
} from "../../protocol/index.ts";
import type { CorePorts } from "../api.ts";
import type { EventDraft } from "../interaction.ts";
import type { InteractionRow, SessionRow, Write } from "../ports.ts";
import { queueMessage } from "../turn/messages.ts";

/** Accepted answers that no hook will hear: each becomes one message. */
export function followUps(
  ports: Pick<CorePorts, "ids">,
  session: SessionRow,
  unheard: InteractionRow[],
  now: number,
): { writes: Write[]; events: EventDraft[] } {
  const messages = unheard.flatMap((row) =>
    row.response
      ? [
          queueMessage(
            ports.ids,
            session,
            {
              text: lateAnswerText(row.request, row.response),
              messageId: ports.ids.next(),
              source: "late_answer",
              interactionId: row.id,
              sender: senderOf(row.response),
            },
            now,
          ),
        ]
      : [],
  );
  return {
    writes: messages.map((message) => message.write),
    events: messages.map((message) => message.event),
  };
}

/** Only people answer. */
function senderOf({ responder: { id, name } }: InteractionResponse): Sender {
  return { id, ...(name === undefined ? {} : { name }), kind: "person" };
}

/** The message by which an agent learns of an answer that came after its tool call had ended. */
function lateAnswerText(request: InteractionRequest, response: InteractionResponse): string {
  const asked = request.prompt ?? request.inputSchema?.title ?? firstLabel(request);
  const about = asked
    ? `"${asked}" (asked by ${request.toolName}${whatFor(request)})`
    : `a question of ${request.toolName}${whatFor(request)}`;
  const { name, id } = response.responder;
  return `Late answer to ${about}, from ${name ?? id}: ${answerInWords(request, response)}`;
}

const SHOWN_CHARACTERS = 1_000;

/** Of an approval: the call that was asked about, so that an agent can make the same one again. */
function whatFor({ interactionType, toolInput }: InteractionRequest): string {
  if (interactionType !== "approval" || toolInput === undefined) return "";
  const characters = Array.from(JSON.stringify(toolInput));
  const shown = characters.slice(0, SHOWN_CHARACTERS).join("");
  return ` for ${shown}${characters.length > SHOWN_CHARACTERS ? "…" : ""}`;
}

function firstLabel(request: InteractionRequest): string | undefined {
  if (request.questions) return request.questions.map((question) => question.question).join(" / ");
  return request.inputSchema ? fieldsOf(request.inputSchema)[0]?.label : undefined;
}

function answerInWords(request: InteractionRequest, response: InteractionResponse): string {
  const because = response.reason ? ` Reason: ${response.reason}` : "";
  switch (response.action) {
    case "approve":
      return `approved (${response.approvalScope ?? "once"}). It has not run: make the same call again.${because}`;
    case "deny":
      return `${request.interactionType === "approval" ? "denied" : "declined"}.${because}`;
    case "cancel":
      return `cancelled.${because}`;
    case "submit":
      return values(request, response);
  }
}

function values(request: InteractionRequest, response: InteractionResponse): string {
  const input = response.input ?? {};
  if (request.questions) {
    const answers = (input["answers"] ?? {}) as Record<string, string>;
    return request.questions
      .map((question, index) => `${question.question} ${answers[String(index)] ?? ""}`)
      .join("; ");
  }
  const fields = request.inputSchema ? fieldsOf(request.inputSchema) : [];
  const given = fields.filter((field) => Object.hasOwn(input, field.id));
  if (given.length === 1 && given[0]) return show(input[given[0].id]);
  return given.map((field) => `${field.label}: ${show(input[field.id])}`).join("; ");
}

function show(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
