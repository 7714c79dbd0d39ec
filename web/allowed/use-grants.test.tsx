import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { TransportProvider } from "../../src/react/index.ts";
import type { Transport } from "../../src/transport/index.ts";
import type { GrantRecord } from "../../src/protocol/index.ts";
import { useGrants } from "./use-grants.ts";

afterEach(cleanup);

const grant: GrantRecord = {
  id: "g1",
  toolName: "bash",
  key: "true",
  scope: "always",
  by: "owner",
  createdAt: "2030-01-01T00:00:00.000Z",
};

function Allowed() {
  const { grants, problem, revoke } = useGrants();
  return (
    <>
      <p data-testid="shown">{`${grants?.length} ${problem ?? "no problem"}`}</p>
      <button onClick={() => void revoke("g1")}>Revoke</button>
    </>
  );
}

/** Draws it with a server that lists this, one after the other, and says this to a revocation. */
async function show(lists: Promise<GrantRecord[]>[], revoked: () => Promise<void>): Promise<void> {
  const ONLINE = { state: "online" } as const;
  const server: Partial<Transport> = {
    connection: () => ONLINE,
    onConnection: () => () => {},
    grants: () => lists.shift() ?? Promise.reject(new Error("The test has no more lists.")),
    revokeGrant: revoked,
  };
  await act(async () => {
    render(
      <TransportProvider transport={server as Transport}>
        <Allowed />
      </TransportProvider>,
    );
  });
}

const shown = () => screen.getByTestId("shown").textContent;
const press = () => act(async () => screen.getByRole("button").click());
const listed = (...grants: GrantRecord[]) => Promise.resolve(grants);

test("who revokes what is revoked already hears of no problem", async () => {
  const refused = async () => Promise.reject(new Error("There is no such grant."));
  await show([listed(grant), listed()], refused);
  expect(shown()).toBe("1 no problem");
  await press();
  expect(shown()).toBe("0 no problem");
});

test("who cannot revoke is told why", async () => {
  const refused = async () => Promise.reject(new Error("The disk is full."));
  await show([listed(grant), listed(grant)], refused);
  await press();
  expect(shown()).toBe("1 The disk is full.");
});

test("what was read before does not bring back what was revoked since", async () => {
  let finish: (grants: GrantRecord[]) => void = () => {};
  const late = new Promise<GrantRecord[]>((resolve) => (finish = resolve));
  await show([late, listed()], async () => {});
  await press();
  await act(async () => finish([grant]));
  expect(shown()).toBe("0 no problem");
});
