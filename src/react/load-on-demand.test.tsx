import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { loadOnDemand, preloadComponents } from "./load-on-demand.tsx";

const Part = ({ word }: { word: string }) => <p>{word}</p>;

test("a part is drawn when it has come, and at once from then on", async () => {
  const Later = loadOnDemand(async () => Part);
  const first = render(<Later word="one" />);
  expect(screen.getByText("Loading…")).toBeTruthy();
  expect(await screen.findByText("one")).toBeTruthy();
  first.unmount();
  const second = render(<Later word="two" />);
  expect(screen.getByText("two")).toBeTruthy();
  second.unmount();
});

test("what was loaded ahead is there at once", async () => {
  const Later = loadOnDemand(async () => Part);
  await preloadComponents();
  const { unmount } = render(<Later word="ahead" />);
  expect(screen.getByText("ahead")).toBeTruthy();
  unmount();
});

test("a part that cannot be loaded says so, breaks nothing, and can be tried again", async () => {
  let tries = 0;
  const Later = loadOnDemand(async () => {
    if (++tries < 2) throw new Error("The server is away.");
    return Part;
  });
  render(<Later word="at last" />);
  expect((await screen.findByRole("alert")).textContent).toContain("could not be loaded");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("at last")).toBeTruthy();
});
