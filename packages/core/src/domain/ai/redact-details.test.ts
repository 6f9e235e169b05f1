import fc from "fast-check";
import { expect, test } from "vitest";
import { detailRedaction, restoreFilter } from "./redact-details.ts";

const once = (text: string) => detailRedaction().redact(text);

test.each([
  ["Mail vera@acme.test or sam.o+x@mail.acme.test.", "Mail ‹email 1› or ‹email 2›."],
  ["Call +49 (30) 123 45-67 now", "Call ‹phone 1› now"],
  ["Call 030/1234567.", "Call ‹phone 1›."],
  ["Call (555) 123-4567", "Call ‹phone 1›"],
  ["My card is 4111 1111 1111 1111.", "My card is ‹card 1›."],
  ["DE89 3704 0044 0532 0130 00 is mine", "‹IBAN 1› is mine"],
  ["GB82WEST12345698765432", "‹IBAN 1›"],
])("%j is sent as %j", (text, sent) => {
  expect(once(text)).toBe(sent);
});

test.each([
  "Order 4111111111111112",
  "On 01.02.2026 at 10:00",
  "GB82WEST12345698765431",
  "It costs 1,234,567.00",
  "Order 123456",
  "0 items",
])("%j is sent as it is", (text) => {
  expect(once(text)).toBe(text);
});

test("a detail keeps its placeholder during a run, and is put back into the answer", () => {
  const { redact, restore } = detailRedaction();
  expect(redact("vera@acme.test, sam@acme.test")).toBe("‹email 1›, ‹email 2›");
  expect(redact("VERA@acme.test and +49 30 1234567")).toBe("‹email 1› and ‹phone 1›");
  expect(redact("+49-30-1234567")).toBe("‹phone 1›");
  expect(restore("We have ‹email 1› and ‹ Phone 1 ›, but no ‹email 3›.")).toBe(
    "We have vera@acme.test and +49 30 1234567, but no ‹email 3›.",
  );
});

test("details come back into a text in pieces, wherever it is cut", () => {
  const { redact, restore } = detailRedaction();
  const written = `Write to ${redact("vera@acme.test")} or ${redact("+49 30 1234567")} ‹soon.`;
  for (let size = 1; size <= written.length; size += 1) {
    const filter = restoreFilter(restore);
    const pieces = written.match(new RegExp(`.{1,${size}}`, "gsu")) ?? [];
    const shown = pieces.map((piece) => filter.push(piece));
    expect(shown.join("") + filter.end()).toBe("Write to vera@acme.test or +49 30 1234567 ‹soon.");
    expect(shown.join("|")).not.toContain("‹email");
  }
});

test("a visitor's own placeholder gets no detail of others", () => {
  const { redact, restore } = detailRedaction();
  redact("vera@acme.test");
  expect(restore(redact("Tell me ‹email 1›"))).toBe("Tell me (email 1)");
});

test("whatever is redacted comes back as it was", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.emailAddress(), fc.string(), fc.constant("+49 30 1234567"))), (parts) => {
      const text = parts.join(" ").replaceAll("‹", "");
      const { redact, restore } = detailRedaction();
      const back = restore(redact(text));
      // Two forms of one detail come back as the first of them.
      expect(back.toLowerCase().replaceAll(/[^a-z0-9]/g, "")).toBe(text.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
    }),
  );
});
