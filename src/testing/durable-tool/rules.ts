/** A rule of durable tools, as the check can tell that it was broken. */
export type DurabilityRule =
  | "not_durable"
  | "unstable_prompt"
  | "closure_state"
  | "step_order"
  | "key_required"
  | "effect_outside_step"
  | "not_json"
  | "secret_in_value"
  | "version_missing";

/** One broken rule. */
export interface BrokenRule {
  rule: DurabilityRule;
  /** Which prompt, step or value it shows at. */
  at: string;
  /** What happened, and what to do about it. */
  message: string;
}

/** What to do, by the rule that was broken. */
export const ADVICE: Record<DurabilityRule, string> = {
  not_durable:
    "Say `durable: 'replay'` in the tool, or in the plugin's manifest, to have its calls survive a restart.",
  unstable_prompt:
    "A prompt may depend on the arguments, on results of steps and prompts, and on ctx.now(), ctx.uuid(), " +
    "ctx.approvals.get() and ctx.interaction. Take everything else (Date, Math.random(), files, " +
    "variables of the module) in a ctx.step().",
  closure_state:
    "A hook whose outcome is stored is not run again, so what it put into a variable is gone. Give it " +
    "back as the outcome, { complete: value }, and use what ctx.requestInteraction() resolves with.",
  step_order:
    "Steps are recognised by where they are called, their name and how often before. Decide which steps " +
    "to do, and in which order, by the arguments and by what earlier steps and prompts gave.",
  key_required:
    "Give each prompt that is open beside another its own `key`, and each step that runs beside another " +
    "its own name.",
  effect_outside_step:
    "Code outside of steps runs each time the call is run again. Put what changes the world into a " +
    "ctx.step(), also in a hook.",
  not_json:
    "Results of steps, outcomes and the result of the call go through JSON. Give text, numbers, booleans, " +
    "lists and plain objects: a date as its ISO text, a Map as a list of pairs.",
  secret_in_value:
    "Steps, outcomes, results and re-prompts are stored and shown. Use the secret in the hook that gets it, " +
    "and give back only what came of it.",
  version_missing:
    "Give the tool a `version`, and change it with what the tool does: a call that waits is then never " +
    "continued by code that did not begin it.",
};
