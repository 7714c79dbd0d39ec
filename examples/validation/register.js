import { defineTool } from "beckon";

/**
 * Asks which service to register until the answer is one that can be.
 *
 * @param {Map<string, number>} services the ports that are taken, by name: what no form can know
 */
export function createRegisterTool(services) {
  return defineTool({
    name: "register_service",
    description: "Registers a service under a name and a port that a person chooses.",
    version: "1",
    durable: "replay",
    parameters: { type: "object", additionalProperties: false },
    handler: (_args, ctx) =>
      // #region ask
      ctx.requestInteraction({
        type: "input",
        prompt: "Which service should be registered?",
        inputSchema: serviceForm,
        whenUnavailable: "wait",
        async onResponse({ action, input = {} }) {
          if (action !== "submit") return { complete: { registered: false } };
          const service = /** @type {Service} */ (input);
          // One step: run again after a crash, the check must not stumble over its own entry.
          const fieldErrors = await ctx.step("register", () => register(services, service));
          if (Object.keys(fieldErrors).length === 0) {
            return { complete: { registered: true, ...service } };
          }
          const error = `${service.name} cannot be registered like this.`;
          return { reprompt: { type: "input", error, fieldErrors } };
        },
      }),
    // #endregion ask
  });
}

/** @typedef {{ name: string, port: number, owner: string }} Service */

// #region form
/** @type {import("beckon/protocol").InputSchema} */
const serviceForm = {
  type: "form",
  fields: [
    {
      id: "name",
      type: "text",
      label: "Name",
      description: "Small letters, digits and hyphens.",
      required: true,
      pattern: "[a-z][a-z0-9-]*",
      maxLength: 30,
    },
    { id: "port", type: "number", label: "Port", required: true, min: 1024, max: 65535, step: 1 },
    { id: "owner", type: "text", label: "Who looks after it", required: true },
  ],
  submitLabel: "Register",
};
// #endregion form

// #region check
/**
 * Registers a service, or says what is wrong with it, by field.
 *
 * @param {Map<string, number>} services
 * @param {Service} service
 */
function register(services, { name, port }) {
  /** @type {Record<string, string>} */
  const problems = {};
  if (services.has(name)) problems.name = `There is a service ${name} already.`;
  const [holder] = [...services].find(([, taken]) => taken === port) ?? [];
  if (holder) problems.port = `${port} belongs to ${holder}.`;
  if (Object.keys(problems).length === 0) services.set(name, port);
  return problems;
}
// #endregion check
