/**
 * An agent without a model: it asks which version to release, and says what it would do.
 *
 * @type {import("beckon").AgentRuntime}
 */
export const releaseAgent = {
  id: "release",
  name: "Release",
  description: "Asks which version to release.",
  capabilities: { reenter: "replay", steer: false },
  async run(turn) {
    await turn.text(`You said: ${turn.message.text}`);
    const asked = await turn.call("ask_user", { question: "Which version?" });
    if (!asked.ok) return { status: "failed", error: asked.error };
    const { answer } = /** @type {{ answer?: string }} */ (asked.result);
    await turn.text(answer ? `I would release ${answer}.` : "Then not.");
    return { status: "completed" };
  },
};
