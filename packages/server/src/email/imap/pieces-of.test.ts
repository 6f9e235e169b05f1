/** Which mails are fetched and stored together. */
import { expect, test } from "vitest";
import { mayFetchAhead, PIECE_BYTES, PIECE_MAILS, piecesOf } from "./pieces-of.ts";

const uids = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

/** The UIDs of the pieces, and of the mails in them; `sizes` by UID, those without one are not there any more. */
function split(sizes: Record<number, number>, given: { all?: number[]; wanted?: number[]; alone?: number } = {}) {
  const { all = uids(6), wanted = all, alone } = given;
  const facts = new Map(
    Object.entries(sizes).map(([uid, size]) => [Number(uid), { uid: Number(uid), size, internalDate: 0 }]),
  );
  return piecesOf(
    all,
    facts,
    ({ uid }) => wanted.includes(uid),
    ({ uid }) => uid === alone,
  );
}
const mailsIn = (pieces: ReturnType<typeof split>) => pieces.map(({ mails }) => mails.map(({ uid }) => uid));
const passedBy = (pieces: ReturnType<typeof split>) => pieces.map((piece) => piece.uids);
const small = { 1: 10, 2: 10, 3: 10, 4: 10, 5: 10, 6: 10 };

test("small mails are together, up to a number and to a size", () => {
  expect(mailsIn(split(small))).toEqual([[1, 2, 3, 4, 5, 6]]);
  const many = Object.fromEntries(uids(PIECE_MAILS + 1).map((uid) => [uid, 10]));
  expect(mailsIn(split(many, { all: uids(PIECE_MAILS + 1) })).map(({ length }) => length)).toEqual([PIECE_MAILS, 1]);
  expect(mailsIn(split({ ...small, 3: PIECE_BYTES - 20, 5: PIECE_BYTES }))).toEqual([[1, 2, 3], [4], [5], [6]]);
});

test("a mail that the connection broke at is alone", () => {
  expect(mailsIn(split(small, { alone: 3 }))).toEqual([[1, 2], [3], [4, 5, 6]]);
  expect(mailsIn(split(small, { alone: 1 }))).toEqual([[1], [2, 3, 4, 5, 6]]);
});

test("every UID is passed in its order, also of mails that are not wanted or not there any more", () => {
  const { 2: _, ...there } = small;
  const pieces = split({ ...there, 4: PIECE_BYTES }, { wanted: [3, 4, 6] });
  expect(passedBy(pieces)).toEqual([[1, 2, 3], [4, 5], [6]]);
  expect(mailsIn(pieces)).toEqual([[3], [4], [6]]);
  expect(
    piecesOf(
      [],
      new Map(),
      () => true,
      () => false,
    ),
  ).toEqual([]);
});

test("nothing is fetched ahead of a large mail, or after one: it would be in memory with another", () => {
  const [ordinary, large] = split({ 1: 10, 2: PIECE_BYTES + 1 }, { all: uids(2) });
  if (!ordinary || !large) throw new Error("There are not two.");
  expect([mayFetchAhead(ordinary, ordinary), mayFetchAhead(ordinary, large), mayFetchAhead(large, ordinary)]).toEqual([
    ...[true, false, false],
  ]);
});
