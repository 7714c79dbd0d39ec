import { afterEach, beforeEach, describe } from "vitest";
import type { ToolDefinition } from "../core/call/tool.ts";
import { answerTests } from "./transport-contract/answers.ts";
import { callTests } from "./transport-contract/calls.ts";
import { lifetimeTests } from "./transport-contract/lifetime.ts";
import { listTests } from "./transport-contract/lists.ts";
import { logTests } from "./transport-contract/logs.ts";
import { messageTests } from "./transport-contract/messages.ts";
import { Stage, type TransportSubject } from "./transport-contract/subject.ts";
import { CONTRACT_TOOLS } from "./transport-contract/tools.ts";

/**
 * What every transport promises, as one vitest suite over a real server: a new transport starts with
 * it red and is done when it is green.
 *
 * Contract: `open` starts a server with the demo agent and the given tools, and nothing in it.
 */
export function transportContract(
  name: string,
  open: (tools: ToolDefinition[]) => Promise<TransportSubject>,
): void {
  describe(`a transport: ${name}`, () => {
    let stage: Stage;
    beforeEach(async () => {
      stage = new Stage(await open(CONTRACT_TOOLS));
    });
    afterEach(() => stage.close());
    const subject = () => stage;

    describe("logs", () => {
      logTests(subject);
    });
    describe("answers", () => {
      answerTests(subject);
    });
    describe("answers to calls", () => {
      callTests(subject);
    });
    describe("messages", () => {
      messageTests(subject);
    });
    describe("lists", () => {
      listTests(subject);
    });
    describe("its lifetime", () => {
      lifetimeTests(subject);
    });
  });
}
