import { tryIt } from "../try-it.js";
import { createRegisterTool } from "./register.js";

const services = new Map([
  ["billing", 8080],
  ["search", 8081],
]);

console.log(`An agent wants to register a service, and asks you for its name and port. Try

1. the name Billing and the port 80: the form refuses them, and nothing is sent on;
2. billing and 8081: the tool refuses them, and asks again with what you wrote;
3. shop and 8082.
`);
await tryIt({
  tools: [createRegisterTool(services)],
  message: "/call register_service {}",
  next: () => `Registered now: ${[...services].map(([name, port]) => `${name} ${port}`).join(", ")}

To register another, send this in the page:

  /call register_service {}`,
});
