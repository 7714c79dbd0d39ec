import { expect, test } from "vitest";
import { copyText } from "./copy-text.ts";

test("without a clipboard what is copied is selected and copied", async () => {
  expect(navigator.clipboard).toBeUndefined();
  let copied = "";
  document.execCommand = () => {
    copied = document.querySelector("textarea")?.value ?? "";
    return true;
  };
  await copyText("npm test");
  expect(copied).toBe("npm test");
  expect(document.querySelector("textarea")).toBeNull();
});
