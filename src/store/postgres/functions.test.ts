import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { MIGRATIONS } from "./migrations/index.ts";
import { FUNCTIONS } from "./sql/index.ts";

test("the functions in the database change only with the version of its schema", () => {
  const digest = createHash("sha256").update(FUNCTIONS.join("\n")).digest("hex");
  // They are stored when a server brings the schema to a newer version, and at no other start: who
  // changes one adds a migration, be it an empty one, and then the digest here.
  expect({ version: MIGRATIONS.length, digest }).toEqual({
    version: 2,
    digest: "17d7f4e6bd155539dacab270537f39d8e5ffd0b3bb9a3056854d2b04330546c6",
  });
});
