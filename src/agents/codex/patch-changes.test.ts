import { expect, test } from "vitest";
import { changesOfItem, changesOfPatch } from "./patch-changes.ts";

test("a patch says of each file what becomes of it", () => {
  const patch = `*** Begin Patch
*** Add File: new.txt
+hello
+
+world
*** Update File: src/a.ts
@@ export function one() {
   same
-  old
+  new
*** Update File: b.ts
*** Move to: c.ts
@@
-*** Delete File: not a head
+--- x
*** End of File
*** Update File: d.ts
*** Move to: e.ts
*** Delete File: gone.txt
*** End Patch
`;
  expect(changesOfPatch(patch)).toEqual([
    { path: "new.txt", kind: "add", newText: "hello\n\nworld\n" },
    {
      path: "src/a.ts",
      kind: "edit",
      diff: "@@ export function one() {\n   same\n-  old\n+  new",
    },
    { path: "b.ts", kind: "move", to: "c.ts", diff: "@@\n-*** Delete File: not a head\n+--- x" },
    { path: "d.ts", kind: "move", to: "e.ts" },
    { path: "gone.txt", kind: "delete" },
  ]);
});

test("a hunk without a head is one, and what is no patch is none", () => {
  const patch = "*** Update File: a\n-x\n+y\n*** End Patch";
  expect(changesOfPatch(patch)).toEqual([{ path: "a", kind: "edit", diff: "@@\n-x\n+y" }]);
  expect(changesOfPatch("hello")).toBeUndefined();
});

test("without the patch only the files are told", () => {
  const changes = [
    { path: "a", kind: "update" },
    { path: "b", kind: "delete" },
  ];
  expect(changesOfItem(changes)).toEqual([
    { path: "a", kind: "edit" },
    { path: "b", kind: "delete" },
  ]);
});
