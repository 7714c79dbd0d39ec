import { openEffects } from "./effects.js";
import { approve, askAudience, askDetails, askToken } from "./prompts.js";

/**
 * A release in five prompts and five effects. Nothing in here knows that servers die: it asks, puts
 * every effect into a step, and gives what it learned as outcomes.
 *
 * @param {import("beckon").PluginSetup} setup
 * @returns {import("beckon").PluginInstance}
 */
export default function release({ dataDir }) {
  const effects = openEffects(dataDir);

  return {
    operations: {
      /**
       * @param {{ version: string, workMs?: number }} args
       * @param {import("beckon").ToolContext} ctx
       */
      async run({ version, workMs = 200 }, ctx) {
        // Drawn once and journaled: in every life of this call the same release has the same id, and
        // an effect that was done just before a kill is recognised by it.
        const releaseId = ctx.uuid();
        /** @param {string} name @param {Record<string, unknown>} what */
        const effect = (name, what) =>
          ctx.step(name, () =>
            effects.once(`${releaseId}:${name}`, { name, version, ...what }, workMs),
          );

        if (!(await approve(ctx, `Release ${version}?`))) return stopped("approval");
        await effect("tag", {});

        const details = await askDetails(ctx, version);
        if (!details) return stopped("details");
        await effect("build", details);

        const audience = await askAudience(ctx, version);
        if (!audience) return stopped("audience");
        await effect("changelog", audience);

        // The token is used where it arrives, in the hook: it is in memory there and nowhere else.
        const published = await askToken(ctx, version, (token) =>
          effect("publish", { authorized: token !== "" }),
        );
        if (!published) return stopped("token");

        const { first } = audience;
        if (!(await approve(ctx, `${version} is published. Announce it to ${first}?`))) {
          return stopped("announcement");
        }
        await effect("announce", { to: first });
        return { released: true, version };
      },
    },
  };
}

/** @param {string} at */
function stopped(at) {
  return { released: false, stoppedAt: at };
}
