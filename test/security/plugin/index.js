const asks = (request) => (_args, ctx) =>
  ctx.requestInteraction({
    timeoutMs: null,
    whenUnavailable: "wait",
    onResponse: ({ action, approvalScope }) => ({ complete: { action, approvalScope } }),
    ...request,
  });

const formOf = (...fields) => ({ type: "input", inputSchema: { type: "form", fields } });

const login = formOf(
  { id: "user", type: "text", label: "User", required: true, maxLength: 20 },
  { id: "password", type: "secret", label: "Password", required: true, minLength: 8 },
);

export default {
  operations: {
    echo: (args) => args,
    approval: asks({ type: "approval", approvalScopes: ["once"] }),
    choice: asks({
      type: "approval",
      approvalScopes: ["once", "session"],
      approvalOptions: [
        { id: "yes", label: "Yes", decision: "approve" },
        { id: "no", label: "No", decision: "deny" },
      ],
    }),
    form: asks(
      formOf(
        { id: "name", type: "text", label: "Name", required: true },
        { id: "size", type: "select", label: "Size", options: [{ value: "s", label: "S" }] },
      ),
    ),
    granted: (_args, ctx) =>
      asks({
        type: "approval",
        approvalScopes: ["always"],
        async onResponse() {
          await ctx.approvals.set("key", "always");
          return { complete: "remembered" };
        },
      })(_args, ctx),
    login: ({ hang }, ctx) =>
      asks({
        ...login,
        onResponse: ({ input }) =>
          hang ? new Promise(() => {}) : { complete: { length: input.password.length } },
      })({}, ctx),
  },
};
