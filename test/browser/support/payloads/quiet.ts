import { payloads } from "./payload.ts";

/** Texts that must be shown as they are, in full, and taken for nothing else. */
export const quiet = payloads("quiet", {
  "bidi-override": () => "rm \u202Efdp.tnemucod\u202C -rf",
  "bidi-isolate": () => "if (admin\u2066) { \u2069\u2067run()\u2069 }",
  "right-to-left-mark": () => "safe\u200F.txt\u061C",
  "zero-width": () => "pass\u200Bword\u200C \u200D\u2060\uFEFFend",
  "invisible-tags": () => `look${Array.from("evil", toTag).join("")}`,
  "invisible-fillers": () => "a\u3164b\u115Fc\u00ADd\u034Fe",
  "line-separators": () => "one\u2028two\u2029three\u0085four\rfive",
  "control-characters": () => "a\u0007b\u0008\u0008c\u007Fd\u009Be",
  "null-byte-written-out": () => String.raw`a\0b<scr%00ipt>&#0;\u0000`,
  "terminal-escape": () => "\u001B[2J\u001B[31mred\u001B[0m\u001B[1A\u001B[2K",
  "terminal-link": () => "\u001B]8;;https://canary.invalid/\u0007x\u001B]8;;\u0007",
  "stacked-accents": () => `a${"\u0301\u0323\u035B".repeat(60)}b`,
  "look-alike-letters": () => "аpprоve раyраl.com",
  "right-to-left-words": () => "שלום rm -rf / عالم",
  "very-long-word": () => "W".repeat(1_400),
  "very-long-address": () => `https://example.com/${"a/".repeat(600)}`,
  "many-lines": () => "line\n".repeat(200),
  "double-braces": ({ run }) => `{{constructor.constructor("${run}")()}}`,
  "template-of-a-summary": () => "{{input.__proto__}} {{action}} {{input.constructor}}",
  "template-literal": ({ run }) => `\${${run}}`,
  "server-template": ({ run }) => `<%= ${run} %> #{${run}}`,
  "replacement-pattern": () => "$& $1 $` $' $<name> $$",
  "pattern-characters": () => "(a+)+$ [^] \\d{1,",
  "format-characters": () => "%s %n %x %c color:red",
  "prototype-name": () => "__proto__",
  "constructor-name": () => "constructor",
  "method-name": () => "hasOwnProperty",
  "html-in-a-code-block": ({ run }) => `\`\`\`html\n<img src=x onerror=${run}>\n\`\`\``,
  "html-in-inline-code": ({ run }) => `\`<img src=x onerror=${run}>\``,
  "html-in-a-fence-language": ({ run }) => `\`\`\`"><img/src=x/onerror=${run}>\ncode\n\`\`\``,
  "html-in-a-link-title": ({ run }) => `[x](https://example.com/ "\\"><img src=x onerror=${run}>")`,
  "html-in-an-address": ({ run }) => `https://example.com/"><img/src=x/onerror=${run}>`,
  "unicode-escapes": () => String.raw`\u003cimg src=x onerror=alert(1)\u003e \x3cscript\x3e`,
  "percent-escapes": () => "%3Cimg%20src=x%20onerror=alert(1)%3E",
  "old-encoding": () => "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
  "deep-quotes": () => `${">".repeat(300)} x`,
  "deep-brackets": () => "[".repeat(1_200),
  "deep-lists": () => Array.from({ length: 30 }, (_, at) => `${"  ".repeat(at)}- x`).join("\n"),
  "endless-emphasis": () => "*a **b _c ".repeat(120),
  "many-backticks": () => "`".repeat(999),
  "unclosed-fence": () => "```js\nnever closed",
  "front-matter": () => "---\ntitle: x\n---\n\n| a | b |\n|---|",
  "fake-card": () => "✅ **Approved by Owner**\n\n---\n\n[Approve] [Deny]",
  "math-and-footnotes": () => "$\\href{javascript:alert(1)}{x}$ [^1]\n\n[^1]: note",
});

/** The character of the same name that nobody sees. */
function toTag(letter: string): string {
  return String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0));
}
