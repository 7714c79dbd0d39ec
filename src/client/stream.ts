/*
 * Text that arrives in pieces, each with the place where it belongs. Pieces may be repeated, overlap
 * or be lost. What is missing is shown as an ellipsis in its place, until a piece fills it.
 */

interface Piece {
  offset: number;
  text: string;
}

/** Pieces in order, with something missing between each two. */
export interface Stream {
  pieces: readonly Piece[];
}

export const NO_STREAM: Stream = { pieces: [] };

const HOLE = "…";

const endOf = (piece: Piece) => piece.offset + piece.text.length;

/** Gives the same stream if the piece says nothing new. Where two pieces differ, the newer is right. */
export function addPiece(stream: Stream, added: Piece): Stream {
  const last = stream.pieces.at(-1);
  if (last && endOf(last) === added.offset) {
    if (added.text === "") return stream;
    const grown = { offset: last.offset, text: last.text + added.text };
    return { pieces: [...stream.pieces.slice(0, -1), grown] };
  }
  const before = stream.pieces.filter((piece) => endOf(piece) < added.offset);
  const after = stream.pieces.filter((piece) => piece.offset > endOf(added));
  const touching = stream.pieces.slice(before.length, stream.pieces.length - after.length);
  const merged = touching.reduce(overlay, added);
  const known = touching[0];
  if (touching.length === 1 && known && same(known, merged)) return stream;
  return { pieces: [...before, merged, ...after] };
}

/** `over` lies on top; of `under`, what sticks out on either side is kept. */
function overlay(over: Piece, under: Piece): Piece {
  const head = under.text.slice(0, Math.max(0, over.offset - under.offset));
  const tail = under.text.slice(Math.max(0, endOf(over) - under.offset));
  return { offset: Math.min(over.offset, under.offset), text: head + over.text + tail };
}

function same(a: Piece, b: Piece): boolean {
  return a.offset === b.offset && a.text === b.text;
}

/** What can be shown of it. */
export function textOf({ pieces }: Stream): string {
  let text = "";
  let shownTo = 0;
  for (const piece of pieces) {
    text += piece.offset > shownTo ? HOLE + piece.text : piece.text;
    shownTo = endOf(piece);
  }
  return text;
}

/** Forgets the beginning of what is longer than `most`. */
export function keepEnd(stream: Stream, most: number): Stream {
  const last = stream.pieces.at(-1);
  if (!last) return stream;
  const from = endOf(last) - most;
  const [first] = stream.pieces;
  if (!first || first.offset >= from || from <= 0) return stream;
  const kept = stream.pieces
    .filter((piece) => endOf(piece) > from)
    .map((piece) => (piece.offset < from ? cutAt(piece, from) : piece));
  return { pieces: kept };
}

/** Half of a surrogate pair is no character. */
function cutAt(piece: Piece, from: number): Piece {
  const at = from - piece.offset;
  const isLowHalf = /^[\uDC00-\uDFFF]/.test(piece.text.slice(at, at + 1));
  const start = isLowHalf ? at + 1 : at;
  return { offset: piece.offset + start, text: piece.text.slice(start) };
}
