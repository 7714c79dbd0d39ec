import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { MIGRATIONS } from "./migrations/index.ts";
import { FUNCTIONS } from "./sql/index.ts";

test("the functions in the database change only with the version of its schema", () => {
  const digest = createHash("sha256").update(FUNCTIONS.join("\n")).digest("hex");
  // They are stored when a server brings the schema to a newer version, and at no other start: who
  // changes one adds a migration, be it an empty one, and then the digest here.
  expect({ version: MIGRATIONS.length, digest }).toEqual({
    version: 1,
    digest: "cc9c32e3ccecdf869dc2f978a157a6be61033b96d29e3f69875bc9d8e611eb51",
  });
});
