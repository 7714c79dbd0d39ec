import type {
  AgentChoice,
  AgentMode,
  InteractionRecord,
  PermissionMode,
  PromptRequest,
  Sender,
  TurnTrigger,
  Usage,
} from "../../protocol/index.ts";
import type { NativeCall, NativeUse } from "./native-call.ts";
import type { CallEnd, ToolDefinition } from "../call/tool.ts";

export type TurnEnd =
  | { status: "completed" }
  | { status: "failed"; error: { code: string; message: string } };

/** A block of text that people see grow. Only the finished block is stored. */
export interface TextBlock {
  write(text: string): void;
  end(): Promise<void>;
}

/** The input of a call that the model is still writing: people see it grow. Not stored. */
export interface InputBlock {
  /** @param json the next piece of the input's JSON */
  write(json: string): void;
}

/** A message, as an agent is told it. */
export interface AgentMessage {
  /** What to tell a model. The words of a program are marked as such; a person's are as they are. */
  text: string;
  /** The sender's own words, unmarked. */
  words: string;
  messageId: string;
  /** Missing for a message that version 0.1.0 stored. */
  sender?: Sender;
}

/** What an agent has told in a session. */
export interface Told {
  /** What it said and thought. */
  texts: string[];
  /** The calls of its own, by the ids that it gave. */
  nativeIds: string[];
}

/**
 * One turn, as its agent sees it. Everything it does here is stored before it is shown. In a turn
 * that is entered again, what was done already is recognised by its order and not done twice, so a
 * runtime with `reenter: 'replay'` must do the same things in the same order.
 */
export interface Turn {
  readonly sessionId: string;
  readonly turnId: string;
  readonly trigger: TurnTrigger;
  readonly message: AgentMessage;
  readonly cwd?: string;
  readonly permissionMode: PermissionMode;
  readonly model?: string;
  /** What the agent is told beside what it tells itself. */
  readonly systemPrompt?: string;
  readonly signal: AbortSignal;
  readonly tools: ToolDefinition[];
  text(text: string): Promise<void>;
  thinking(text: string): Promise<void>;
  startText(): TextBlock;
  /** Begins to show the input of a call, before `startCall` tells of it with the whole. */
  startInput(use: Pick<NativeUse, "nativeId" | "toolName">): Promise<InputBlock>;
  /** Calls one of our tools. */
  call(toolName: string, input: unknown): Promise<CallEnd>;
  /**
   * Tells of a call that the runtime executes itself. The same native id again is the same call
   * until that has ended, and then another one.
   */
  startCall(use: NativeUse): Promise<NativeCall>;
  /** What the runtime has kept for this session; null at first. */
  readonly state: unknown;
  /** Keeps something for the session's later turns; resolves when it is stored. */
  keepState(state: unknown): Promise<void>;
  /**
   * What the log tells since the turn `after` has ended, or since the session began. With it, a
   * runtime that keeps a record of its own can add what it did unheard, and nothing twice.
   */
  told(after?: string): Promise<Told>;
  /**
   * Calls `take` with each message that is sent into this turn. Needs `capabilities.steer`;
   * what comes after the turn has ended, or while there is nothing that takes it, starts a turn of
   * its own.
   */
  onMessage(take: ((message: AgentMessage) => void) | undefined): void;
  /** Calls `apply` when somebody changes how the session runs, while it does. */
  onSettings(apply: (settings: { permissionMode: PermissionMode; model?: string }) => void): void;
  /** Keeps that the agent itself has changed how the session runs. */
  keepSettings(settings: { permissionMode?: PermissionMode; model?: string }): Promise<void>;
  /**
   * The environment for a process of the agent: what it runs can ask here until the turn has ended.
   */
  environment(
    base: Readonly<Record<string, string | undefined>>,
  ): Promise<Record<string, string | undefined>>;
  /**
   * What the runtime's shell is to run in place of a command that can do nothing but ask people here:
   * nobody need allow that first. Nothing for every other command.
   */
  askingLine(command: string, at: { toolCallId: string; folder: string }): string | undefined;
  /**
   * Adds to what the turn has used; its end tells the sum, also after a crash. `model` names the one
   * that answered last.
   */
  usage(used: Usage & { model?: string }): Promise<void>;
  /** Shows what the runtime knows of itself. Not stored. */
  status(status: { model?: string; usage?: unknown }): void;
}

/** What an agent needs on the machine, and how to get it. */
export interface AgentNeed {
  /** What it is: "the Claude Agent SDK". */
  name: string;
  /** The command that installs it. */
  install: string;
  /** Contract: looks and starts nothing; must not reject. */
  isThere(): Promise<boolean>;
}

/** What an agent lets people choose, by its own names. What is not known is left out. */
export interface AgentOffers {
  /** How it may ask. The first one is what a session gets that names none; without any, it has none. */
  modes?: AgentMode[];
  models?: AgentChoice[];
  commands?: AgentChoice[];
}

/** Something that answers messages, one turn a call of `run`. It never writes the log itself. */
export interface AgentRuntime {
  id: string;
  name: string;
  description: string;
  /** Nobody is to choose it for a session. */
  hidden?: boolean;
  capabilities: {
    /** How a turn goes on after its process died: by running it again, by itself, or not at all. */
    reenter: "replay" | "native" | "none";
    steer: boolean;
    /** It executes calls itself, and tells of them by `startCall`. @default false */
    nativeCalls?: boolean;
    /** It runs what it wants and asks nobody first: only a person may start a session of it. */
    unasked?: boolean;
    /**
     * What lies in the folder that it works in can allow it to run things unasked: nothing that
     * another agent runs may start a session of it. @default false
     */
    folderRules?: boolean;
  };
  /** What it needs on the machine of the server. @default nothing */
  need?: AgentNeed;
  /** What people may choose, as far as it is known. Contract: starts nothing, and answers at once. */
  offers?(): AgentOffers;
  run(turn: Turn): Promise<TurnEnd>;
  /**
   * With `reenter: 'native'`: whether the runtime can go on with this turn after its process died,
   * from what it has kept. Then `run` is called again; else the turn ends as interrupted.
   */
  canResume?(turnId: string, state: unknown): boolean;
  /**
   * How calls have ended, by their native ids, that ran when its process died, as far as the
   * runtime's own record tells: asked before the turn of them ends as interrupted.
   */
  endsOf?(state: unknown, nativeIds: ReadonlySet<string>): Promise<ReadonlyMap<string, CallEnd>>;
  /**
   * Answers a hook of this agent where it runs by itself, outside of Beckon: gets what it posted,
   * and gives what it is to be told.
   */
  hook?(posted: Record<string, unknown>, asker: HookAsker): Promise<unknown>;
}

/** How a hook asks people. */
export interface HookAsker {
  /** Resolves with the prompt as it ended, however it did. */
  ask(question: {
    place: { key: string; title: string; cwd?: string };
    /** The call that it is about, where the hook knows: it may be one that runs in the session. */
    caller?: { toolCallId?: string };
    /** That use of a tool, by a name of its own, and the way by which this is asked. */
    use?: { name: string; way: string };
    toolName: string;
    toolInput: unknown;
    prompt: PromptRequest;
  }): Promise<InteractionRecord>;
  /**
   * It was decided in the agent's own terminal: the prompt of this hook closes as that, and its call
   * ends so. False where no such prompt is open.
   */
  decidedElsewhere(end: CallEnd): Promise<boolean>;
  /** What the agent has kept, where the hook is one of a process that Beckon runs; else null. */
  state(): Promise<unknown>;
  /** How long its prompts wait, if whoever set up the hook has said so; `null`: for ever. */
  timeoutMs: number | null | undefined;
}

/** For people: what is missing, and the command that gets it. */
export function howToInstall(agent: string, { name, install }: AgentNeed): string {
  return `${agent} needs ${name}, which is not installed here. Install it with: ${install}`;
}

/** What an agent needs is not on this machine; the sentence says what to do. */
export class AgentUnavailable extends Error {
  override name = "AgentUnavailable";
}

export interface AgentRegistry {
  get(id: string): AgentRuntime | undefined;
  list(): AgentRuntime[];
}
