import { afterEach, beforeEach, describe } from "vitest";
import { chainTests } from "./store-contract/chain.ts";
import { changeTests } from "./store-contract/changes.ts";
import { commitTests } from "./store-contract/commits.ts";
import { fenceTests } from "./store-contract/fences.ts";
import { grantTests } from "./store-contract/grants.ts";
import { interactionTests } from "./store-contract/interactions.ts";
import { lifetimeTests } from "./store-contract/lifetime.ts";
import { limitTests } from "./store-contract/limits.ts";
import { logTests } from "./store-contract/log.ts";
import { nodeTests } from "./store-contract/nodes.ts";
import { peopleTests } from "./store-contract/people.ts";
import { promptListTests } from "./store-contract/prompt-lists.ts";
import { raceTests } from "./store-contract/races.ts";
import { runTests } from "./store-contract/runs.ts";
import { sessionTests } from "./store-contract/sessions.ts";
import type { OpenedStore } from "./store-contract/subject.ts";

/**
 * What every store promises, as one vitest suite: a new store starts with it red and is done when it
 * is green.
 *
 * Contract: `open` gives an empty store each time, which uses the given clock; `reopen` closes it
 * and opens it again on the same data, and is left out where nothing outlives the process; `verify`
 * recomputes the chains, and is left out where nobody but the store can read them.
 */
export function storeContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`a store: ${name}`, () => {
    let opened: OpenedStore;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(async () => {
      await opened.store.close();
    });
    const subject = () => opened;

    describe("a commit", () => {
      commitTests(subject);
    });
    describe("a fence", () => {
      fenceTests(subject);
    });
    describe("races", () => {
      raceTests(subject);
    });
    describe("the log", () => {
      logTests(subject);
    });
    describe("the chain of the log", () => {
      chainTests(subject);
    });
    describe("sessions", () => {
      sessionTests(subject);
    });
    describe("runs and calls", () => {
      runTests(subject);
    });
    describe("interactions", () => {
      interactionTests(subject);
    });
    describe("lists of open prompts", () => {
      promptListTests(subject);
    });
    describe("limits", () => {
      limitTests(subject);
    });
    describe("changes", () => {
      changeTests(subject);
    });
    describe("nodes", () => {
      nodeTests(subject);
    });
    describe("grants", () => {
      grantTests(subject);
    });
    describe("people and tokens", () => {
      peopleTests(subject);
    });
    describe("its lifetime", () => {
      lifetimeTests(subject);
    });
  });
}
