/** Lets `measure` at something that is opened for it, and closes it afterwards. */
export type Opener<Lane> = <Result>(measure: (lane: Lane) => Promise<Result>) => Promise<Result>;

/** What is measured side by side. A lane that is undefined takes no part. */
type Lanes<Name extends string, Lane> = Record<Name, Lane | undefined>;

/** Opens all of them, lets `measure` at them, and closes them in the opposite order. */
export function withLanes<Name extends string, Lane, Result>(
  openers: Record<Name, Opener<Lane> | undefined>,
  measure: (lanes: Lanes<Name, Lane>) => Promise<Result>,
): Promise<Result> {
  const entries = Object.entries(openers) as [Name, Opener<Lane> | undefined][];
  const openFrom = (index: number, opened: [Name, Lane | undefined][]): Promise<Result> => {
    const next = entries[index];
    if (!next) return measure(Object.fromEntries(opened) as Lanes<Name, Lane>);
    const [name, open] = next;
    if (!open) return openFrom(index + 1, [...opened, [name, undefined]]);
    return open((lane) => openFrom(index + 1, [...opened, [name, lane]]));
  };
  return openFrom(0, []);
}

/** Makes of each lane what is measured in it. */
export async function mapLanes<Name extends string, Lane, Made>(
  lanes: Lanes<Name, Lane>,
  make: (lane: Lane) => Promise<Made>,
): Promise<Lanes<Name, Made>> {
  const made: [Name, Made | undefined][] = [];
  for (const [name, lane] of entriesOf(lanes)) {
    made.push([name, lane === undefined ? undefined : await make(lane)]);
  }
  return Object.fromEntries(made) as Lanes<Name, Made>;
}

/**
 * Gives what each lane took, round by round; nothing for a lane that takes no part. In a round every
 * lane has its turn, and each round begins with another lane, so that what slows the machine slows
 * all of them. A first round warms up and is not counted.
 */
export async function takeTurns<Name extends string, Lane, Cost>(
  lanes: Lanes<Name, Lane>,
  rounds: number,
  measure: (lane: Lane, isCounted: boolean) => Promise<Cost>,
): Promise<Record<Name, Cost[]>> {
  const entries = entriesOf(lanes);
  const took = Object.fromEntries(entries.map(([name]) => [name, []])) as unknown as Record<
    Name,
    Cost[]
  >;
  for (let round = -1; round < rounds; round++) {
    const first = Math.max(round, 0) % entries.length;
    for (const [name, lane] of [...entries.slice(first), ...entries.slice(0, first)]) {
      if (lane === undefined) continue;
      const cost = await measure(lane, round >= 0);
      if (round >= 0) took[name].push(cost);
    }
  }
  return took;
}

function entriesOf<Name extends string, Lane>(lanes: Lanes<Name, Lane>) {
  return Object.entries(lanes) as [Name, Lane | undefined][];
}
