import type { ToolDefinition } from "../../core/index.ts";
import { askQuestions } from "./ask-questions.ts";
import { askUser } from "./ask-user.ts";
import { tourTools } from "./tour/index.ts";

/** The tools that every server has and that need nothing from it. */
export const builtinTools: ToolDefinition[] = [askUser, askQuestions, ...tourTools];
