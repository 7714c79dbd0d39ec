import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { SignInPage } from "./sign-in-page.tsx";

test("a command in the server's sentence is shown as a command, without its marks", () => {
  const problem = "The code was used already. `beckon open` prints another one.";
  render(<SignInPage problem={problem} onVisit={() => {}} />);
  const alert = screen.getByRole("alert");
  expect(alert.textContent).toBe("The code was used already. beckon open prints another one.");
  expect(alert.querySelector("code")?.textContent).toBe("beckon open");
});

test("what was wrong with a code is no longer said once another one is entered", () => {
  render(<SignInPage problem="The code was used already." onVisit={() => {}} />);
  const field = screen.getByLabelText(/paste the address/);
  expect(field.getAttribute("aria-invalid")).toBe("true");
  fireEvent.change(field, { target: { value: "bk_another" } });
  expect(screen.queryByRole("alert")).toBeNull();
  expect(field.getAttribute("aria-invalid")).toBe("false");
});

test("who has only a clone finds a command that works there, to copy", () => {
  render(<SignInPage onVisit={() => {}} />);
  expect(screen.getByText("node bin/beckon.js open", { selector: "pre code" })).toBeDefined();
  expect(screen.getAllByRole("button", { name: /^Copy/ })).toHaveLength(2);
});
