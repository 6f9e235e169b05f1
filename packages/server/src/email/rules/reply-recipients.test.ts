import fc from "fast-check";
import { expect, test } from "vitest";
import { isOwnAddress } from "./mail-address.ts";
import { mailOf } from "./mail-for-tests.ts";
import { CC_MAX, replyRecipients } from "./reply-recipients.ts";

const OWN = ["support@acme.example", "help@acme.example", "acme+desk@mail.example"];

function recipients(headers: string, own = OWN) {
  const mail = mailOf(headers);
  const from = mail.from[0] ?? { name: null, address: "" };
  const { to, cc } = replyRecipients({ ...mail, from }, own);
  return [to, cc].map((each) => each.map(({ address }) => address).join(" "));
}

const [S, V] = ["support@acme.example", "vera@example.com"];
const TOKEN = `support+r.${"a".repeat(26)}@acme.example`;

/** The headers of the mail that is answered, then To and Cc of the reply. */
const TABLE: [what: string, headers: string, to: string, cc?: string][] = [
  ["one writer, one mailbox", `From: ${V}\nTo: ${S}`, V],
  ["Reply-To", `From: ${V}\nReply-To: b@b.example\nTo: ${S}`, "b@b.example"],
  ["Reply-To that is the writer", `From: ${V}\nReply-To: ${V}\nTo: ${S}`, V],
  ["two in Reply-To", `From: ${V}\nReply-To: a@a.example, b@b.example\nTo: ${S}`, "a@a.example b@b.example"],
  ["Reply-To that is ours", `From: ${V}\nReply-To: ${S}\nTo: ${S}`, V],
  ["Reply-To that is ours and another", `From: ${V}\nReply-To: ${S}, b@b.example\nTo: ${S}`, "b@b.example"],
  ["a malformed Reply-To", `From: ${V}\nReply-To: Vera\nTo: ${S}`, V],
  ["another person in To", `From: ${V}\nTo: ${S}, b@b.example`, V, "b@b.example"],
  ["another person in Cc", `From: ${V}\nTo: ${S}\nCc: b@b.example`, V, "b@b.example"],
  ["others in To and Cc", `From: ${V}\nTo: b@b.example, ${S}\nCc: c@c.example`, V, "b@b.example c@c.example"],
  ["the mailbox in Cc alone", `From: ${V}\nTo: b@b.example\nCc: ${S}`, V, "b@b.example"],
  ["the mailbox nowhere (Bcc)", `From: ${V}\nTo: b@b.example`, V, "b@b.example"],
  ["no To at all", `From: ${V}`, V],
  ["undisclosed recipients", `From: ${V}\nTo: undisclosed-recipients:;`, V],
  ["the address with a token", `From: ${V}\nTo: ${TOKEN}`, V],
  ["the address with a token in Cc", `From: ${V}\nTo: b@b.example\nCc: ${TOKEN}`, V, "b@b.example"],
  ["the address with any tag", `From: ${V}\nTo: support+sales@acme.example`, V],
  ["an alias", `From: ${V}\nTo: help@acme.example`, V],
  ["an alias beside the mailbox", `From: ${V}\nTo: ${S}\nCc: Help@ACME.example`, V],
  ["an alias that has a tag itself", `From: ${V}\nTo: acme+desk@mail.example, acme+desk+r.x@mail.example`, V],
  ["the same person without our tag", `From: ${V}\nTo: acme@mail.example`, V, "acme@mail.example"],
  ["a colleague of the same domain", `From: ${V}\nTo: ${S}\nCc: ada@acme.example`, V, "ada@acme.example"],
  ["the writer in Cc too", `From: ${V}\nTo: ${S}\nCc: VERA@example.com`, V],
  ["the one of Reply-To in Cc too", `From: ${V}\nReply-To: b@b.example\nTo: ${S}\nCc: b@B.example`, "b@b.example"],
  ["From in Cc beside a Reply-To", `From: ${V}\nReply-To: b@b.example\nTo: ${S}\nCc: ${V}`, "b@b.example", V],
  ["one address twice", `From: ${V}\nTo: ${S}, b@b.example\nCc: B@b.example, b@b.EXAMPLE`, V, "b@b.example"],
  ["a domain with other letters", `From: ${V}\nTo: ${S}\nCc: b@Bücher.example`, V, "b@xn--bcher-kva.example"],
  ["what is no address in Cc", `From: ${V}\nTo: ${S}\nCc: Bea, "b b"@b.example, c@c.example`, V, "c@c.example"],
  ["a Bcc header that got in", `From: ${V}\nTo: ${S}\nBcc: b@b.example`, V],
  ["a mail of our own to others", `From: ${S}\nTo: ${V}\nCc: b@b.example`, `${V} b@b.example`],
  ["a mail of our own to ourselves", `From: ${S}\nTo: help@acme.example`, ""],
];

test.each(TABLE)("recipients of the reply to a mail with %s", (_what, headers, to, cc = "") => {
  expect(recipients(headers)).toEqual([to, cc]);
});

test("the table has 30 cases and more", () => {
  expect(TABLE.length).toBeGreaterThanOrEqual(30);
});

test("no own address ever gets a reply, no one gets it twice, and all others of the mail get it", () => {
  const address = fc
    .constantFrom(...OWN, TOKEN, V, "VERA@example.com", "b@b.example", "c@c.example", "ada@acme.example")
    .map((text) => ({ name: null, address: text }));
  const list = fc.array(address, { maxLength: 6 });
  fc.assert(
    fc.property(address, list, list, list, (from, replyTo, to, cc) => {
      const reply = replyRecipients({ from, replyTo, to, cc }, OWN);
      const all = [...reply.to, ...reply.cc].map((each) => each.address.toLowerCase());
      expect(all.filter((each) => isOwnAddress(each, OWN))).toEqual([]);
      expect(new Set(all).size).toBe(all.length);
      const wanted = [...to, ...cc]
        .map((each) => each.address.toLowerCase())
        .filter((each) => !isOwnAddress(each, OWN));
      expect(wanted.filter((each) => !all.includes(each))).toEqual([]);
    }),
  );
});

test("a mail to thousands is answered to a hundred", () => {
  const to = Array.from({ length: 3_000 }, (_, index) => ({ name: null, address: `p${index}@b.example` }));
  const reply = replyRecipients({ from: { name: null, address: V }, replyTo: [], to, cc: [] }, OWN);
  expect(reply.cc.length).toBe(CC_MAX);
});
