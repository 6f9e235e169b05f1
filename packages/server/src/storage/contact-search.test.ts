/** Decisions 1 and 2, and 0045: both engines give the same result for any search text, equal to a plain loop over the contacts. */

import { foldSearch, searchText, searchWords } from "@frontdesk/core/domain/search-text";
import { codePoint } from "@frontdesk/testing/code-point";
import { startTestApp } from "@frontdesk/testing/test-kit";
import fc from "fast-check";
import { expect, test } from "vitest";

const { team, clock } = await startTestApp();
const [acme, sams] = [await team(), await team()];

/** Pieces that have a meaning somewhere: in LIKE, FTS5, JSON, SQL, in bidirectional text, or when they are folded. */
const pieces = [
  ..."%_\\'\"*^()[]{}:;,-+&|!?/~`#$ \t\n",
  "OR",
  "AND",
  "NOT",
  "NEAR",
  "search_text",
  "phone_digits",
  '"" OR "',
  "--",
  "\u001f",
  "\u200b",
  "\u200d",
  "\u202eabc",
  "e\u0301",
  "\u00e9",
  "\u0301",
  "ß",
  "ẞ",
  "ä",
  "Ö",
  "ue",
  "ø",
  "ł",
  "’",
  "´",
  "ё",
  "أ",
  "ﾔﾏﾀﾞ",
  "İ",
  "ı",
  "Σας",
  "ΟΔΟΣ",
  "ﬁ",
  "Ａｂｃ",
  "①",
  "㎏",
  "👩‍👩‍👧",
  "👍🏽",
  "🇩🇪",
  "שלום",
  "مرحبا",
  "日本語",
  "한국어",
  "한",
  "नमस्ते",
  "\ufffd",
  "\ufeff",
  "\u{10ffff}",
  "Vera",
  "vera",
  "abcabcabc",
  "007",
];

const character = fc.string({ unit: codePoint, minLength: 1, maxLength: 1 }).filter((text) => text !== "\0");
const word = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...pieces) }, { weight: 2, arbitrary: character });
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join("").slice(0, 200).toWellFormed());
const contact = fc.record({
  name: text,
  email: fc.constantFrom("vera@visitor.test", "%_%@like.test", "o'neil@quote.test", "abc+def@x-y.test", ""),
  phone: fc.constantFrom("", "+4915112345678", "0151123456", "1234567", "+100200300400500"),
});

interface Visitor {
  id: string;
  name: string;
  email: string;
  phone: string;
}

/** Newest activity first, as the list has them. */
const visitors: Visitor[] = [];
const between = pieces.map((piece) => ({ name: `ab${piece}cd`, email: "", phone: "" }));
for (const { name, email, phone } of [...fc.sample(contact, { numRuns: 120, seed: 7 }), ...between]) {
  clock.advance(1_000);
  const body = { widgetId: acme.widgetId, name, ...(email && { email }), ...(phone && { phone }) };
  const answer = await acme.post("/contacts/initialize", body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  visitors.unshift({ id: answer.body.data.id, name, email, phone });
  // The same in another team, where it must not be found.
  await sams.post("/contacts/initialize", { ...body, widgetId: sams.widgetId });
}

/** The rule, read word by word. */
function plainly(search: string): string[] {
  const whole = foldSearch(search).trim();
  const isNumber = /^[\d\s+()./\-\u2010-\u2015]*\d[\d\s+()./\-\u2010-\u2015]*$/.test(whole);
  const words = isNumber ? [whole] : searchWords(search);
  const isFound = ({ id, name, email, phone }: Visitor) =>
    words.every((word) => searchText(name, email).includes(word)) ||
    (isNumber && phone.replaceAll(/\D/g, "").includes(whole.replaceAll(/\D/g, "").slice(-8))) ||
    id === search.trim().toLowerCase();
  return visitors.filter((visitor) => words.length === 0 || isFound(visitor)).map(({ id }) => id);
}

async function searched(search: string): Promise<{ total: number; ids: string[] }> {
  const ids: string[] = [];
  let total = 1;
  for (let page = 1; ids.length < total && page < 4; page += 1) {
    const { status, body } = await acme.get(`/contacts?search=${encodeURIComponent(search)}&limit=100&page=${page}`);
    expect({ search, status }).toEqual({ search, status: 200 });
    total = body.meta.pagination.total;
    ids.push(...body.data.map(({ id }: { id: string }) => id));
  }
  return { total, ids };
}

async function expectAsPlainly(search: string): Promise<void> {
  const ids = plainly(search);
  expect({ search, ...(await searched(search)) }).toEqual({ search, total: ids.length, ids });
}

/** Parts of the stored texts, as people would search for them: cut at any place, in another case or another Unicode form. */
const part = fc
  .tuple(fc.nat(visitors.length - 1), fc.nat(200), fc.nat(12), fc.constantFrom("NFC", "NFD", "NFKC"), fc.nat(3))
  .map(([which, from, length, form, how]) => {
    const { name, email, phone, id } = visitors[which] as Visitor;
    const source = [name, email || name, phone || name, id][how] as string;
    const letters = [...source];
    const at = letters.length === 0 ? 0 : from % letters.length;
    const cut = letters.slice(at, at + 1 + length).join("");
    return (from % 2 ? cut.toUpperCase() : cut).normalize(form);
  });
const needle = fc.oneof({ weight: 5, arbitrary: part }, { weight: 2, arbitrary: text }, { weight: 2, arbitrary: word });

test("a search finds exactly what a plain look at every contact finds, in the same order", async () => {
  await fc.assert(
    fc.asyncProperty(
      needle.filter((search) => search.length <= 255 && search.isWellFormed()),
      expectAsPlainly,
    ),
    { numRuns: 400 },
  );
});

test("every special piece, alone, between letters and in pairs, is a plain text", async () => {
  for (const [index, piece] of pieces.entries()) {
    await expectAsPlainly(piece);
    await expectAsPlainly(`b${piece}c`);
    expect(plainly(`b${piece}c`), piece).not.toEqual([]);
    await expectAsPlainly(piece + (pieces[(index + 1) % pieces.length] as string));
    await expectAsPlainly(piece.repeat(3).slice(0, 255).toWellFormed());
  }
});

test("a search as long as it may be, of letters, of quotes, of emoji or of percent signs, is answered", async () => {
  for (const letter of ["a", '"', "'", "%", "_", "\\", "ß", "é", "日", "0", "-", "*"]) {
    await expectAsPlainly(letter.repeat(255));
  }
  await expectAsPlainly("😀".repeat(127));
});

test("whole ids are found in any case, and parts of ids are not", async () => {
  const { id } = visitors[3] as Visitor;
  expect((await searched(id.toUpperCase())).ids).toEqual([id]);
  expect((await searched(id.slice(0, -1))).ids).toEqual([]);
  expect((await searched(`${id}0`)).ids).toEqual([]);
});
