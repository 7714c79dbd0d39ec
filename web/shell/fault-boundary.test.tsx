import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { FaultBoundary } from "./fault-boundary.tsx";

afterEach(cleanup);

function Broken(): never {
  throw new Error("not a text");
}

test("a part that cannot be drawn says so, and what is around it stays", () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  render(
    <>
      <FaultBoundary>
        <Broken />
      </FaultBoundary>
      <FaultBoundary>
        <p>Still here</p>
      </FaultBoundary>
    </>,
  );
  expect(screen.getByRole("alert").textContent).toContain("could not be drawn");
  expect(screen.getByText("Still here")).toBeTruthy();
  expect(logged).toHaveBeenCalled();
  logged.mockRestore();
});
