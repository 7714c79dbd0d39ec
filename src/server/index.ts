export { addressWithCode } from "./address-with-code.ts";
export { createCredentials, type Credentials, OWNER_ID, type TokenInfo } from "./credentials.ts";
export type { Listener } from "./listen.ts";
export { writeOwnerToken } from "./owner-token.ts";
export { createServer } from "./server.ts";
