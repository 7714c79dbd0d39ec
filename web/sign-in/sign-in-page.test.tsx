import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { SignInPage } from "./sign-in-page.tsx";

test("a command in the server's sentence is shown as a command, without its marks", () => {
  const problem = "The code was used already. `beckon open` prints another one.";
  render(<SignInPage problem={problem} onVisit={() => {}} />);
  const alert = screen.getByRole("alert");
  expect(alert.textContent).toBe("The code was used already. beckon open prints another one.");
  expect(alert.querySelector("code")?.textContent).toBe("beckon open");
});
