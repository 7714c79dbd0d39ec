/** A prompt of each kind, as it might come up at work, and a text by which to find it. */
export const PROMPTS = {
  approval: {
    sees: "Publish shop 2.4.0 to the registry?",
    request: {
      type: "approval",
      prompt: "Publish shop 2.4.0 to the registry?",
      approvalScopes: ["once", "session", "always"],
      context: { reason: "Publishing cannot be undone." },
      completedView: { summaryTemplate: "{{action}} ({{scope}})" },
    },
  },
  choice: {
    sees: "May I read outside the project?",
    request: {
      type: "approval",
      prompt: "May I read outside the project?",
      context: { blockedPath: "/etc/hosts" },
      approvalOptions: [
        { id: "file", label: "This file", decision: "approve", covers: ["/etc/hosts"] },
        { id: "folder", label: "The whole folder", decision: "approve", scope: "session" },
        { id: "no", label: "No", decision: "deny" },
      ],
    },
  },
  questions: {
    sees: /Which database/,
    request: {
      type: "input",
      presentation: "questionnaire",
      questions: [
        {
          header: "Database",
          question: "Which database should the orders live in?",
          options: [
            { label: "SQLite", description: "One file, nothing to run." },
            {
              label: "PostgreSQL",
              description: "Many writers.",
              preview: "DATABASE_URL=postgres://",
            },
          ],
        },
        {
          header: "Checks",
          question: "What must be green before a release?",
          multiSelect: true,
          options: [{ label: "Tests" }, { label: "Lint" }, { label: "Types" }],
        },
      ],
    },
  },
  form: {
    sees: /Where should it go|Deployment/,
    request: {
      type: "input",
      prompt: "Where should it go?",
      inputSchema: {
        type: "form",
        title: "Deployment",
        description: "Asked once, kept for the next time.",
        submitLabel: "Deploy",
        fields: [
          { id: "host", type: "text", label: "Host", placeholder: "shop.example", required: true },
          { id: "notes", type: "textarea", label: "Release notes", description: "In plain words." },
          { id: "copies", type: "number", label: "Copies", min: 1, max: 9, defaultValue: 2 },
          { id: "public", type: "boolean", label: "Open to the public" },
          {
            id: "region",
            type: "select",
            label: "Region",
            options: [
              { value: "eu", label: "Europe" },
              { value: "us", label: "America" },
            ],
          },
          { id: "day", type: "date", label: "Day" },
          { id: "password", type: "secret", label: "Password" },
        ],
      },
    },
  },
  link: {
    sees: "Sign in at the registry to go on.",
    request: {
      type: "input",
      prompt: "Sign in at the registry to go on.",
      link: { url: "https://example.com/device?code=ABCD-1234" },
    },
  },
} as const;

export type Kind = keyof typeof PROMPTS;

export const KINDS = Object.keys(PROMPTS) as Kind[];
