import { type ChainedRow } from "../../audit/chain-walk.ts";
import { DecisionLog, differenceOf, unloggedAnswer } from "../../audit/decision-check.ts";
import type { Database } from "../database.ts";
import { readRow } from "../rows.ts";

const DECIDED = /* sql */ `SELECT interactions.id, responses.id AS answer
  FROM interactions LEFT JOIN responses
    ON responses.interaction_id = interactions.id AND responses.verdict = 'decided'
  WHERE interactions.session_id = ?
    AND (interactions.response IS NOT NULL OR responses.id IS NOT NULL)`;

const INTERACTION = "SELECT * FROM interactions WHERE id = ?";
const RESPONSE = "SELECT * FROM responses WHERE interaction_id = ? AND id = ?";

/**
 * Compares the decisions in one session's log with the tables that the server works from. `report`
 * gets the names of what differs.
 */
export function createDecisionCheck(
  database: Database,
  sessionId: string,
  report: (message: string, seq?: number) => void,
) {
  const log = new DecisionLog();
  return {
    see(row: ChainedRow, seq: number): void {
      const decision = log.see(row, seq);
      if (!decision) return;
      const { interactionId, answerId } = decision;
      const message = differenceOf(
        decision,
        readRow(database, "interactions", INTERACTION, interactionId),
        readRow(database, "responses", RESPONSE, interactionId, answerId),
      );
      if (message !== undefined) report(message, seq);
    },
    /** For a log that was seen to its end: is there a decision that it does not have? */
    end(): void {
      for (const { id, answer } of database.all(DECIDED, sessionId)) {
        if (!log.has(String(id), answer === null ? null : String(answer))) {
          report(unloggedAnswer(String(id)));
        }
      }
    },
  };
}
