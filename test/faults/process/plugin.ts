import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A place for a server's data and one plugin, `bad`, made for a test and gone after it. */
export interface Place {
  data: string;
  plugins: string;
  remove(): void;
}

/** @param operations the source of each operation, by its id */
export function createPlace(operations: Record<string, string>): Place {
  const directory = mkdtempSync(join(tmpdir(), "beckon-faults-"));
  const plugins = join(directory, "bad");
  mkdirSync(plugins);
  const manifest = {
    id: "bad",
    version: "1",
    operations: Object.keys(operations).map((id) => ({
      id,
      summary: id,
      durable: "replay",
      inputSchema: { type: "object" },
    })),
  };
  writeFileSync(join(plugins, "manifest.json"), JSON.stringify(manifest));
  const source = Object.entries(operations).map(([id, code]) => `${JSON.stringify(id)}: ${code}`);
  writeFileSync(
    join(plugins, "index.js"),
    `export default { operations: { ${source.join(",\n")} } };`,
  );
  const remove = () => rmSync(directory, { recursive: true, force: true });
  return { data: join(directory, "data"), plugins, remove };
}
