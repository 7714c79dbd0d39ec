import type { LiveRun, LiveRunPorts } from "./live-run.ts";
import type { RunRow, Write } from "../ports.ts";
import { claimWrite, freeWrite, touchRun, type LeasePorts } from "./lease.ts";
import type { CorePorts } from "../api.ts";
import type { Change } from "../writer.ts";
import { type AbilityPorts, canGoOn } from "./ability.ts";

export interface ClaimPorts
  extends
    AbilityPorts,
    LeasePorts,
    Pick<LiveRunPorts, "live" | "stranded">,
    Pick<CorePorts, "bus"> {
  options: LeasePorts["options"] & AbilityPorts["options"];
  /** Executes a run that is ours, from its journal where it ran before. */
  enterRun(run: RunRow, how: "first" | "again"): void;
}

/**
 * A prompt has got its answer, its timeout or another end. Whoever commits that also makes sure
 * that its run goes on: a run that nobody owns becomes ours, the row of an owned one gets another
 * version, so that its owner cannot suspend it without looking.
 */
export interface Claim {
  writes: Write[];
  /** `claimed` of the commit: the run, if it is this process's to go on with. */
  claimed: RunRow[];
  /** The run as this process holds it, if it can go on at once: else it has to be entered again. */
  held(): LiveRun | undefined;
  /** To be called when the commit is stored; or when it is decided, for a run that is held. */
  proceed(): void;
  /** `inDoubt` of the commit. */
  inDoubt: Change["inDoubt"] & {};
}

export async function claimRun(ports: ClaimPorts, run: RunRow | null): Promise<Claim> {
  const mine = run === null ? undefined : ports.live.get(run.id);
  const isAble =
    !ports.options.shared ||
    (mine !== undefined && !mine.lost && mine.row.epoch === run?.epoch) ||
    (await canGoOn(ports, run));
  if (!run || run.status === "ended" || run.status === "queued") {
    return { writes: [], claimed: [], held: () => undefined, proceed: () => {}, inDoubt: [] };
  }
  const isResting = run.status === "suspended";
  if (isResting && !isAble) return leaveToOthers(ports, run);
  const write = isResting ? claimWrite(ports, run) : touchRun(run);
  const after: RunRow = { ...run, ...write.set, version: run.version + 1 };
  // Whoever still holds the closures of exactly this epoch simply goes on with them, or has already.
  const held = () => {
    const found = ports.live.get(run.id);
    if (!found || found.lost) return undefined;
    return found.row.epoch === run.epoch || isSame(found.row, after) ? found : undefined;
  };
  return {
    writes: [write],
    claimed: after.owner === ports.options.owner ? [after] : [],
    held,
    proceed() {
      const found = ports.live.get(run.id);
      if (run.status === "live") {
        if (found) found.refresh(after);
        else ports.bus.publish({ type: "run", runId: run.id });
        return;
      }
      const going = held();
      if (going) return isSame(going.row, after) ? undefined : going.goOn(after);
      found?.lose();
      ports.enterRun(after, "again");
    },
    inDoubt: isResting ? [() => doubtClaim(ports, after)] : [],
  };
}

function isSame(one: RunRow, other: RunRow): boolean {
  return one.epoch === other.epoch && one.version >= other.version;
}

/** The store has failed while it took a run for us: the next heartbeat looks whether the run is ours. */
export function doubtClaim({ stranded }: Pick<LiveRunPorts, "stranded">, claimed: RunRow): void {
  stranded.set(claimed.id, { byStore: true, perhaps: claimed.epoch });
}

/** It has to go on, and cannot here: it is nobody's, so that a node takes it that can. */
function leaveToOthers(ports: ClaimPorts, run: RunRow): Claim {
  return {
    writes: [freeWrite(ports, run)],
    claimed: [],
    held: () => undefined,
    proceed() {
      ports.live.get(run.id)?.lose();
      ports.bus.publish({ type: "run", runId: run.id });
    },
    inDoubt: [],
  };
}
