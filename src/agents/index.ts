export { demoAgent } from "./demo.ts";
export { createAgentRegistry } from "./registry.ts";
