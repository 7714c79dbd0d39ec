/** Why a plugin is not there. `message` is a sentence for whoever started the server. */
export interface PluginProblem {
  /** The plugin's id, or its folder when the id is not known. */
  plugin: string;
  message: string;
}

/** A plugin that cannot be used, for a reason that its author can mend. */
export class BrokenPlugin extends Error {
  override name = "BrokenPlugin";
  /** Its id, where that could be read before it broke. */
  readonly plugin: string | undefined;

  constructor(message: string, { plugin, ...options }: ErrorOptions & { plugin?: string } = {}) {
    super(message, options);
    this.plugin = plugin;
  }
}

/** @param where the file whose code was running, for errors that do not say it themselves */
export function toProblem(plugin: string, error: unknown, where?: string): PluginProblem {
  if (error instanceof BrokenPlugin) return { plugin, message: error.message };
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { plugin, message: where ? `${where} failed. ${what}` : what };
}
