import { expect, test } from "vitest";
import { forwardedFrom } from "./forwarded-mail.ts";
import { forwardedText, forwardSubject } from "./forwarded-text.ts";

const mail = {
  from: { name: "Vera Grün", address: "vera@vera.example" },
  to: [{ name: null, address: `support+r.${"k".repeat(26)}@acme.example` }],
  cc: [],
  subject: "Fwd: Re: Size\r\nBcc: x@y.example",
  sentAt: Date.UTC(2026, 10, 28, 8, 30),
  text: "Hello",
  files: [],
};

test("the header of a forwarded mail is of single lines, and is read as one", () => {
  const text = forwardedText(mail, ["support@acme.example"]);
  expect(text.split("\n")).toEqual([
    "---------- Forwarded message ----------",
    "From: Vera Grün <vera@vera.example>",
    "Date: 2026-11-28 08:30 UTC",
    "Subject: Size Bcc: x@y.example",
    "To: support@acme.example",
    "",
    "Hello",
  ]);
  expect(forwardedFrom({ text, textOfHtml: null, parts: [] }, ["support@acme.example"])).toEqual(mail.from);
  expect(forwardSubject(mail.subject)).toBe("Fwd: Size Bcc: x@y.example");
});

test("no token of ours is passed on, wherever it is", () => {
  const token = "a2".repeat(13);
  const text = `To <Support+R.${token.toUpperCase()}@ACME.example>, not to other+r.${token}@acme.example`;
  const passedOn = forwardedText({ ...mail, text }, ["support@acme.example"]);
  expect(passedOn).toContain("To <Support@ACME.example>, not to other+r.");
  expect(passedOn).not.toMatch(/support\+r/i);
});

test("of many people the first are named, and a long text is cut", () => {
  const to = Array.from({ length: 25 }, (_, index) => ({ name: null, address: `p${index}@a.example` }));
  const text = forwardedText({ ...mail, to, text: "x".repeat(300_000) }, []);
  expect(text).toContain("p19@a.example (+5)");
  expect(text).not.toContain("p20@");
  expect(text.length).toBeLessThan(202_000);
});
