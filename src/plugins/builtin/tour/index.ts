import type { ToolDefinition } from "../../../core/index.ts";
import { tourDelete } from "./tour-delete.ts";
import { tourForm } from "./tour-form.ts";
import { tourLate } from "./tour-late.ts";
import { tourSecret } from "./tour-secret.ts";

/** What the demo agent's `/tour` shows and the other built-in tools cannot. They do nothing real. */
export const tourTools: ToolDefinition[] = [tourDelete, tourForm, tourSecret, tourLate];
