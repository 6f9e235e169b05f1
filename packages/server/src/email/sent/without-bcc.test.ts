import { expect, test } from "vitest";
import { withoutBcc } from "./without-bcc.ts";

const stripped = (raw: string) => Buffer.from(withoutBcc(Buffer.from(raw, "latin1"))).toString("latin1");

test("Bcc goes with its folded lines, in any case; every other byte stays", () => {
  const head = "From: a@a.example\r\nTo: b@b.example\r\n";
  const body = "\r\nBcc: in the text\r\n\xff\r\n";
  expect(stripped(`${head}BCC : c@c.example,\r\n\td@d.example\r\nSubject: x\r\n${body}`)).toBe(
    `${head}Subject: x\r\n${body}`,
  );
  expect(stripped(`Resent-Bcc: c@c.example\nSubject: x\n folded\n\ntext`)).toBe("Subject: x\n folded\n\ntext");
});

test("a mail without one, without a body or without headers is as it was", () => {
  for (const raw of [
    "From: a@a.example\r\n\r\ntext",
    "From: a@a.example\r\nTo: b@b.example",
    "\r\ntext\r\nBcc: x",
    "",
  ]) {
    expect(stripped(raw)).toBe(raw);
  }
});
