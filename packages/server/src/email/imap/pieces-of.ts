/** So many mails are fetched by one command and stored together. */
export const PIECE_MAILS = 16;
/** Together they are no larger: two pieces are in memory at once, one that is stored and one that is fetched. */
export const PIECE_BYTES = 1_048_576;

export interface MailFacts {
  uid: number;
  /** As the server says it. */
  size: number;
  /** When the server received it, ms since the epoch. */
  internalDate: number;
}

/** Mails that are taken together, and the UIDs that the position passes with them. */
export interface Piece {
  uids: readonly number[];
  mails: readonly MailFacts[];
}

/**
 * Splits a batch, in its order: small mails together, each larger one alone, and so are those of `isAlone`: the one that was
 * being fetched when the connection broke holds up no other.
 */
export function piecesOf(
  uids: readonly number[],
  facts: ReadonlyMap<number, MailFacts>,
  isWanted: (mail: MailFacts) => boolean,
  isAlone: (mail: MailFacts) => boolean,
): Piece[] {
  const pieces: { uids: number[]; mails: MailFacts[]; bytes: number }[] = [];
  for (const uid of uids) {
    const mail = facts.get(uid);
    const wanted = mail && isWanted(mail) ? mail : undefined;
    const last = pieces.at(-1);
    const mails = wanted ? [wanted] : [];
    if (last && (!wanted || fits(last, wanted, isAlone))) {
      last.uids.push(uid);
      last.mails.push(...mails);
      last.bytes += wanted?.size ?? 0;
    } else pieces.push({ uids: [uid], mails, bytes: wanted?.size ?? 0 });
  }
  return pieces;
}

function fits(last: Piece & { bytes: number }, mail: MailFacts, isAlone: (mail: MailFacts) => boolean): boolean {
  const { mails, bytes } = last;
  if (mails.length === 0) return true;
  if (isAlone(mail) || mails.some(isAlone)) return false;
  return mails.length < PIECE_MAILS && bytes + mail.size <= PIECE_BYTES;
}

const bytesOf = ({ mails }: Piece): number => mails.reduce((sum, { size }) => sum + size, 0);

/** Whether the next piece may come while this one is stored: not when one of them is a large mail. */
export const mayFetchAhead = (piece: Piece, next: Piece): boolean =>
  bytesOf(piece) <= PIECE_BYTES && bytesOf(next) <= PIECE_BYTES;
