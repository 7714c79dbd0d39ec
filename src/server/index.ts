export { createCredentials, type Credentials, OWNER_ID, type TokenInfo } from "./credentials.ts";
export type { Listener } from "./listen.ts";
export { writeOwnerToken } from "./owner-token.ts";
export type { Page } from "./page/index.ts";
export type { PluginDirectory, PluginInfo } from "./plugin-directory.ts";
export { type BeckonServer, createServer, type ServerOptions } from "./server.ts";
