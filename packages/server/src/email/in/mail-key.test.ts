import { describe, expect, test } from "vitest";
import { mailKey } from "./mail-key.ts";

const keyOf = (text: string, size = 7): Promise<string> => {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return mailKey(
    (async function* () {
      yield* pieces;
    })(),
  );
};

const mail = (headers: string[], body = "Hello\r\n\r\nVera\r\n") => `${headers.join("\r\n")}\r\n\r\n${body}`;
const named = [
  "Message-ID: <1@vera.example>",
  "From: Vera <vera@vera.example>",
  "Date: Fri, 20 Nov 2026 09:00:00 +0000",
];

describe("the key of a mail", () => {
  test("is the same however the mail travelled: trace headers, line ends, folding, pieces", async () => {
    const key = await keyOf(mail(named));
    const others = [
      mail(["Received: from a by b", "X-Spam-Status: No", ...named, "Subject: added on the way"]),
      mail(named).replaceAll("\r\n", "\n"),
      `${mail(named)}\r\n\r\n`,
      mail(["message-id:\r\n <1@vera.example>", ...named.slice(1)]),
    ];
    for (const other of others) expect(await keyOf(other)).toBe(key);
    for (const size of [1, 2, 3, 1_000]) expect(await keyOf(mail(named), size)).toBe(key);
  });

  test("is another for another body, sender or date: an id alone suppresses nothing", async () => {
    const keys = new Set([
      await keyOf(mail(named)),
      await keyOf(mail(named, "Hello\r\nVera\r\n")),
      await keyOf(mail([named[0] as string, "From: mallory@evil.example", named[2] as string])),
      await keyOf(mail([...named.slice(0, 2), "Date: Fri, 20 Nov 2026 09:00:01 +0000"])),
    ]);
    expect(keys.size).toBe(4);
  });

  test("of a mail without an id is that of all of it, but for what is written on the way", async () => {
    const headers = ["From: vera@vera.example", "Subject: Invoice"];
    const key = await keyOf(mail(headers));
    expect(await keyOf(mail(["Received: x", "Return-Path: <>", "ARC-Seal: y", ...headers]))).toBe(key);
    // What LMTP and Exim write in front of it: it is the mail that IMAP fetches.
    const delivered = [
      "Return-Path: <v@x.example>",
      "Delivered-To: support@acme.example",
      "Envelope-To: s@acme.example",
    ];
    expect(await keyOf(mail([...delivered, "Delivery-Date: Fri, 20 Nov 2026 09:00:00 +0000", ...headers]))).toBe(key);
    expect(await keyOf(mail([headers[0] as string, "Subject: Another"]))).not.toBe(key);
  });

  test("exists for what is no mail", async () => {
    expect(new Set([await keyOf("\r\nx"), await keyOf("x"), await keyOf("a".repeat(3_000_000), 100_000)]).size).toBe(3);
  });
});
