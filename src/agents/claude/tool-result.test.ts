import { expect, test } from "vitest";
import { changesDone, toEnd } from "./tool-result.ts";

const result = (content: unknown, more = {}) =>
  toEnd({ type: "tool_result", tool_use_id: "t", content: content as never, ...more }, undefined);
const image = (length: number, media_type = "image/png") => ({
  type: "image",
  source: { type: "base64", media_type, data: "A".repeat(length) },
});

test("text is text, and an error is told without its marks", () => {
  expect(result([{ type: "text", text: "a" }, { type: "other" }])).toEqual({
    ok: true,
    result: "a\n[other]",
  });
  const marked = "<tool_use_error>No such file.</tool_use_error>";
  expect(result(marked, { is_error: true })).toEqual({
    ok: false,
    error: { code: "tool_error", message: "No such file." },
  });
});

test("images are kept as far as there is room for them, others are told of", () => {
  const end = result([
    { type: "text", text: "Look:" },
    image(400 * 1024),
    image(200 * 1024),
    image(4, "image/svg+xml"),
  ]);
  expect(end).toMatchObject({
    result: {
      content: [
        { type: "text", text: "Look:" },
        { type: "image", mimeType: "image/png" },
        { type: "text", text: "[An image of 150 KiB, too large to be kept here]" },
        { type: "text", text: "[image/svg+xml]" },
      ],
    },
  });
});

test("what was done to a file is told with numbers of its lines", () => {
  const hunk = { oldStart: 3, oldLines: 1, newStart: 3, newLines: 2, lines: ["-a", "+b", "+c"] };
  const told = { filePath: "/a", originalFile: "…", structuredPatch: [hunk] };
  expect(changesDone(told)).toEqual([
    { path: "/a", kind: "edit", diff: "@@ -3,1 +3,2 @@\n-a\n+b\n+c" },
  ]);
  expect(
    changesDone({ filePath: "/a", originalFile: null, content: "x", structuredPatch: [] }),
  ).toEqual([{ path: "/a", kind: "add", newText: "x" }]);
  expect(changesDone("Error: no")).toBeUndefined();
});
