interface Named {
  id: string;
  name: string | null;
  email: string;
}

/** A part of a text. */
interface Piece {
  text: string;
  isMention: boolean;
}

/** The agents that a note mentions by `@name`, in their order. */
export function mentionedIn(text: string, people: readonly Named[]): string[] {
  const named = new Set(mentionPieces(text, people).flatMap((piece) => (piece.isMention ? [piece.text] : [])));
  return people.filter((person) => named.has(signOf(person))).map(({ id }) => id);
}

/** A text, cut at the mentions in it; where names share a beginning, the longest match. */
export function mentionPieces(text: string, people: readonly Named[]): Piece[] {
  const signs = people.map((person) => signOf(person));
  const pieces: Piece[] = [];
  let end = 0;
  for (const { index } of text.matchAll(/@/g)) {
    const here = signs.filter((sign) => text.startsWith(sign, index) && isWordEnd(text, index + sign.length));
    const sign = here.reduce((longest, each) => (each.length > longest.length ? each : longest), "");
    if (sign === "" || index < end) continue;
    if (index > end) pieces.push({ text: text.slice(end, index), isMention: false });
    pieces.push({ text: sign, isMention: true });
    end = index + sign.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMention: false });
  return pieces;
}

const signOf = ({ name, email }: Named): string => `@${name ?? email}`;

/** `@Ben` does not match in `@Benjamin`. */
const isWordEnd = (text: string, at: number): boolean => !/^[\p{L}\p{N}]/u.test(text.slice(at));
