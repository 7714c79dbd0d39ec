import { expect, test } from "vitest";
import { createBoundedOutput } from "./bounded-output.ts";

const limits = { headBytes: 8, tailBytes: 8 };

function collect(chunks: (string | Buffer)[], given = limits) {
  const output = createBoundedOutput(given);
  for (const chunk of chunks) output.add(Buffer.from(chunk));
  return output.finish();
}

test.each([0, 1, 7, 8, 9, 15, 16])("%i bytes of 16 are kept whole", (length) => {
  const text = "0123456789abcdef".slice(0, length);
  expect(collect([text])).toEqual({ output: text });
  expect(collect(text.split(""))).toEqual({ output: text });
});

test("one byte too many leaves one out, and says so", () => {
  const expected = { output: "01234567\n[1 bytes left out]\n9abcdefg", truncatedBytes: 1 };
  expect(collect(["0123456789abcdefg"])).toEqual(expected);
  expect(collect("0123456789abcdefg".split(""))).toEqual(expected);
});

test("however it is cut into chunks, the same is kept", () => {
  const text = Array.from({ length: 999 }, (_, index) => String(index % 10)).join("");
  const whole = collect([text]);
  expect(whole.truncatedBytes).toBe(999 - 16);
  for (let size = 1; size <= 50; size++) {
    const chunks = text.match(new RegExp(`.{1,${size}}`, "g")) ?? [];
    expect(collect(chunks)).toEqual(whole);
  }
});

test("a character that lies across head and tail is whole when nothing is left out", () => {
  expect(collect(["1234567€12345"])).toEqual({ output: "1234567€12345" });
});

test.each([
  ["é", 2],
  ["€", 3],
  ["🙂", 4],
])("no half of %s is left where output was cut", (character, size) => {
  for (let shift = 0; shift <= 12; shift++) {
    const text = `${"-".repeat(shift)}${character.repeat(40)}`;
    const { output, truncatedBytes = 0 } = collect([text]);
    expect(output).not.toContain("\uFFFD");
    const kept = Buffer.byteLength(output.replace(/\n.*\n/, ""));
    expect(kept + truncatedBytes).toBe(shift + 40 * size);
    expect(kept).toBeGreaterThan(16 - 2 * size);
  }
});

test("bytes that are no UTF-8 become replacement characters, and are counted", () => {
  expect(collect([Buffer.from([0xff, 0xfe, 0x41])]).output).toBe("\uFFFD\uFFFDA");
  const { output, truncatedBytes = 0 } = collect([Buffer.alloc(100, 0x80)]);
  expect(output).toContain(`[${truncatedBytes} bytes left out]`);
  expect(output.replaceAll(/[^\uFFFD]/g, "").length + truncatedBytes).toBe(100);
});

test("a limit of nothing is kept too", () => {
  expect(collect(["abc"], { headBytes: 0, tailBytes: 0 })).toEqual({
    output: "\n[3 bytes left out]\n",
    truncatedBytes: 3,
  });
});
