import type { BlockView, ChatView, TurnView } from "./view.ts";

/**
 * A view that was built anew, with the parts of the old one wherever they say the same, so that a
 * screen draws again only what is different.
 */
export function share(old: ChatView, made: ChatView): ChatView {
  const blocks = new Map(old.turns.flatMap((turn) => turn.blocks).map((one) => [one.id, one]));
  const turns = new Map(old.turns.map((turn) => [turn.id, turn]));
  return {
    ...made,
    turns: same(
      old.turns,
      made.turns.map((turn) => shareTurn(turns.get(turn.id), turn, blocks)),
    ),
    calls: shareMap(old.calls, made.calls),
    interactions: shareMap(old.interactions, made.interactions),
    pending: same(old.pending, made.pending),
  };
}

function shareTurn(
  old: TurnView | undefined,
  made: TurnView,
  known: ReadonlyMap<string, BlockView>,
): TurnView {
  const blocks = made.blocks.map((block) => same(known.get(block.id), block));
  return same(old, { ...made, blocks: same(old?.blocks, blocks) });
}

function shareMap<Value extends object>(
  old: ReadonlyMap<string, Value>,
  made: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> {
  let changed = old.size !== made.size;
  const shared = new Map<string, Value>();
  for (const [id, value] of made) {
    const one = same(old.get(id), value);
    changed ||= one !== old.get(id);
    shared.set(id, one);
  }
  return changed ? shared : old;
}

/** `old`, if it has the same content: its values are the same, or lists of the same values. */
function same<T extends object>(old: T | undefined, made: T): T {
  if (!old) return made;
  const keys = Object.keys(made) as (keyof T)[];
  if (Object.keys(old).length !== keys.length) return made;
  return keys.every((key) => isEqual(old[key], made[key])) ? old : made;
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
