import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tokenHash } from "../../access/token.ts";
import { isOwnAddress, readAddress } from "./mail-address.ts";
import {
  CANDIDATES_MAX,
  newMessageId,
  newReplyToken,
  replyAddress,
  replyTokenHash,
  tokensInText,
  tokensOfIds,
  tokensOfMail,
} from "./reply-token.ts";

const OWN = ["support@acme.example", "help@acme.example"];
const token = "abcdefghijklmnopqrstuvwxy2";
const nothing = { headers: [], to: [], cc: [] };

test("a token has 26 characters of base 32 in lower case, all of them random", () => {
  const tokens = new Set(Array.from({ length: 200 }, () => newReplyToken(randomBytes)));
  expect(tokens.size).toBe(200);
  expect([...tokens].every((one) => /^[a-z2-7]{26}$/.test(one))).toBe(true);
  for (let place = 0; place < 26; place++)
    expect(new Set([...tokens].map((one) => one[place])).size).toBeGreaterThan(20);
});

test("the address with a token is an own address, from which the token is read again", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 26, maxLength: 26 }), (bytes) => {
      const created = newReplyToken(() => bytes);
      const address = replyAddress("support@acme.example", created) as string;
      expect(readAddress(address)).toBe(address);
      expect(isOwnAddress(address, OWN)).toBe(true);
      expect(tokensInText(address.toUpperCase(), OWN)).toEqual([created]);
    }),
  );
});

test("an address that a token would make too long has none", () => {
  expect(replyAddress(`${"s".repeat(36)}@acme.example`, token)).toBeUndefined();
  expect(replyAddress(`${"s".repeat(35)}@acme.example`, token)).toBe(`${"s".repeat(35)}+r.${token}@acme.example`);
});

test("a token is stored as the hash of its lower case", () => {
  expect(replyTokenHash(token.toUpperCase())).toBe(tokenHash(token));
});

const tagged = `support+r.${token}@acme.example`;

test.each([
  ["To, parsed", { ...nothing, to: [{ name: "Acme", address: tagged }] }, []],
  ["Cc, parsed", { ...nothing, cc: [{ name: null, address: `help+r.${token}@acme.example` }] }, []],
  ["To, malformed", { ...nothing, headers: [["to", `"Acme <${tagged}`]] as const }, []],
  ["Delivered-To", { ...nothing, headers: [["delivered-to", tagged]] as const }, []],
  ["X-Original-To", { ...nothing, headers: [["x-original-to", `<${tagged}>`]] as const }, []],
  ["Envelope-To", { ...nothing, headers: [["envelope-to", `${tagged}, vera@example.com`]] as const }, []],
  ["the envelope", nothing, [`Support+R.${token.toUpperCase()}@ACME.example`]],
])("a token is found in %s", (_where, mail, envelope) => {
  expect(tokensOfMail(mail, OWN, envelope)).toEqual([token]);
});

test.each([
  ["in another header", [["subject", tagged]]],
  ["for an address that is not ours", [["to", `support+r.${token}@evil.example`]]],
  ["for a longer local part", [["to", `my.support+r.${token}@acme.example`]]],
  ["for a longer domain", [["to", `support+r.${token}@acme.example.evil.example`]]],
  ["with another tag", [["to", `support+${token}@acme.example`]]],
  ["when it is too short", [["to", `support+r.${token.slice(1)}@acme.example`]]],
  ["when it is too long", [["to", `support+r.a${token}@acme.example`]]],
] as const)("no token is found %s", (_why, headers) => {
  expect(tokensOfMail({ ...nothing, headers }, OWN, [])).toEqual([]);
});

test("of very many tokens a few are looked up, each once", () => {
  const many = Array.from({ length: 1_000 }, () => replyAddress("support@acme.example", newReplyToken(randomBytes)));
  expect(tokensInText([...many, ...many].join(","), OWN).length).toBe(CANDIDATES_MAX);
});

test("a Message-ID of ours is unique and has its token", () => {
  const ids = [newMessageId(randomBytes, token, "ACME.example"), newMessageId(randomBytes, token, "acme.example")];
  expect(ids[0]).toMatch(new RegExp(`^<[a-z2-7]{16}\\.${token}@acme\\.example>$`));
  expect(new Set(ids).size).toBe(2);
  expect(tokensOfIds(ids)).toEqual([token]);
});

test("of the ids of a mail, the latest of ours comes first, and others have no token", () => {
  const [first, second] = [newReplyToken(randomBytes), newReplyToken(randomBytes)];
  const ids = [
    newMessageId(randomBytes, first, "acme.example"),
    "<CAB.abc@mail.example>",
    newMessageId(randomBytes, second, "acme.example").toUpperCase(),
  ];
  expect(tokensOfIds(ids)).toEqual([second, first]);
});
