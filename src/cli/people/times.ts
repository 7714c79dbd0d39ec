const UNITS = [
  { name: "d", ms: 86_400_000 },
  { name: "h", ms: 3_600_000 },
  { name: "min", ms: 60_000 },
  { name: "s", ms: 1_000 },
] as const;

/** `2 d 3 h`, `9 min 58 s`, `12 s`: the two largest parts. */
function inWords(ms: number): string {
  const first = UNITS.findIndex((unit) => ms >= unit.ms);
  const [large, small] = UNITS.slice(first === -1 ? UNITS.length - 1 : first);
  if (!large) return "0 s";
  const count = Math.floor(ms / large.ms);
  const remainder = small ? Math.floor((ms % large.ms) / small.ms) : 0;
  return remainder > 0 && small
    ? `${count} ${large.name} ${remainder} ${small.name}`
    : `${count} ${large.name}`;
}

/** How long ago something was, roughly. */
export function ago(iso: string, now = Date.now()): string {
  const ms = Math.max(0, now - Date.parse(iso));
  const unit = UNITS.find((one) => ms >= one.ms);
  return unit ? `${Math.floor(ms / unit.ms)} ${unit.name} ago` : "now";
}

/** How long is left until something ends; nothing where it does not end by itself. */
export function left(expiresAt: string | undefined, now: number): string | undefined {
  if (expiresAt === undefined) return undefined;
  return inWords(Math.max(0, Date.parse(expiresAt) - now));
}
