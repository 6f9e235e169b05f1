import { systemTimeouts } from "@frontdesk/server/timeouts";
import { inDepth } from "@frontdesk/testing/depth";
import { expect, onTestFinished, test } from "vitest";
import { attachmentsOfMail, INLINE_MAX_BYTES } from "./attachments-of-mail.ts";
import { MailParser } from "./parse-in-worker.ts";
import { parseMail } from "./parse-mail.ts";

const HEAD = "From: Vera <vera@Example.COM>\r\nSubject: Shoes\r\nMessage-ID: <1@example.com>\r\n";
const bytes = (text: string, encoding: BufferEncoding = "utf8") => new Uint8Array(Buffer.from(text, encoding));
const withBody = (headers: string, body: Uint8Array) =>
  new Uint8Array([...bytes(`${HEAD}${headers}\r\n\r\n`), ...body]);

test("a mail's headers are read", async () => {
  const mail = await parseMail(
    bytes(
      `${HEAD}To: =?utf-8?Q?J=C3=BCrgen?= <J@EXAMPLE.com>, plain@example.com\r\nDate: Mon, 5 Jan 2026 10:00:00 +0100 (CET)\r\nReferences: <a@b>\r\n <c@d>\r\n\r\nHello`,
    ),
  );
  expect(mail).toMatchObject({
    messageId: "<1@example.com>",
    from: [{ name: "Vera", address: "vera@example.com" }],
    to: [
      { name: "Jürgen", address: "J@example.com" },
      { name: null, address: "plain@example.com" },
    ],
    references: ["<a@b>", "<c@d>"],
    subject: "Shoes",
    date: Date.parse("2026-01-05T09:00:00Z"),
    text: "Hello",
    html: null,
    contentType: { type: "text/plain" },
  });
});

test.each([
  ["windows-1251", [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2], "Привет"],
  ["ISO-2022-JP", [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x1b, 0x28, 0x42], "日本"],
  ["GB18030", [0xc4, 0xe3, 0xba, 0xc3], "你好"],
])("a text in %s is read", async (charset, body, text) => {
  expect((await parseMail(withBody(`Content-Type: text/plain; charset=${charset}`, new Uint8Array(body)))).text).toBe(
    text,
  );
});

test.each(["UTF-7", "unicode-1-1-utf-7", "x-unicode-2-0-utf-7"])(
  "a text in %s is read, a file keeps its bytes",
  async (charset) => {
    const encoded = "Fr+APY-sche +- +2D3eAA- 1+-1";
    const type = `Content-Type: text/plain; charset=${charset}`;
    expect((await parseMail(withBody(type, bytes(encoded)))).text).toBe("Frösche + 😀 1+1");
    const file = await parseMail(withBody(`${type}; name=a.txt\r\nContent-Disposition: attachment`, bytes(encoded)));
    expect(new TextDecoder().decode(file.parts[0]?.content).trimEnd()).toBe(encoded);
  },
);

test("a text whose charset follows without a semicolon is shown", async () => {
  const mail = await parseMail(withBody('Content-Type: text/plain\r\n charset="utf-8"', bytes("Grüße")));
  expect([mail.text?.trimEnd(), mail.parts.length]).toEqual(["Grüße", 0]);
});

test.each(["uft-8", "charset", "utf-8;", "_iso-2022-jp$esc"])(
  "an unknown charset %j is UTF-8 where that is valid",
  async (charset) => {
    const type = `Content-Type: text/plain; charset="${charset}"`;
    expect((await parseMail(withBody(type, bytes("Grüße")))).text).toBe("Grüße");
    expect((await parseMail(withBody(type, bytes("Grüße", "latin1")))).text).toBe("Grüße");
  },
);

test("an undeclared charset is UTF-8 where that is valid, and else windows-1252", async () => {
  expect((await parseMail(withBody("X: y", bytes("Grüße")))).text).toBe("Grüße");
  expect((await parseMail(withBody("X: y", bytes("Grüße", "latin1")))).text).toBe("Grüße");
  expect((await parseMail(bytes(`${HEAD.replace("Shoes", "Grüße")}\r\nx`, "latin1"))).subject).toBe("Grüße");
});

test("a multipart without a boundary is text", async () => {
  expect((await parseMail(withBody("Content-Type: multipart/mixed", bytes("Hello")))).text).toContain("Hello");
});

test("every part is inline or listed, with a clean name, and none is both", async () => {
  const part = (headers: string) => `--b\r\n${headers}\r\n\r\nx\r\n`;
  const mail = await parseMail(
    withBody(
      "Content-Type: multipart/mixed; boundary=b",
      bytes(
        part("Content-Type: text/html") +
          '--b\r\nContent-Type: text/html\r\n\r\n<img src="cid:a@b">\r\n' +
          part("Content-Type: image/png\r\nContent-ID: <a@b>") +
          part("Content-Type: image/png\r\nContent-ID: <a@b>") +
          part('Content-Type: application/pdf; name="../../x\u202efdp.exe"') +
          part("Content-Type: text/calendar; method=REQUEST") +
          part("Content-Type: message/rfc822") +
          "--b--",
      ),
    ),
  );
  const { attachments, inline } = attachmentsOfMail(mail);
  expect(inline).toHaveLength(1);
  expect(attachments.map(({ name }) => name)).toEqual(["file.png", "xfdp.exe", "invitation.ics", "message.eml"]);
});

test("an image that no place of the HTML draws, one that browsers run, and what is too large, are listed", async () => {
  const part = (headers: string) => `--b\r\n${headers}\r\n\r\nx\r\n`;
  const drawn = `<img src=cid:one><td background='cid:two'><p style="a:url(&quot;cid:three&quot;)"><img src="cid:a%26b">`;
  const named = `cid:four <a href="cid:five"> <!-- cid:six --> <img src="cid:seven"><img src="cid:eight">`;
  const ids = ["one", "two", "three", "a&b", "four", "five", "six", "eight"];
  const mail = await parseMail(
    withBody(
      "Content-Type: multipart/mixed; boundary=b",
      bytes(
        `--b\r\nContent-Type: text/html\r\n\r\n${drawn}${named}\r\n` +
          ids.map((id) => part(`Content-Type: image/png; name="${id}.png"\r\nContent-ID: <${id}>`)).join("") +
          part('Content-Type: image/svg+xml; name="seven.svg"\r\nContent-ID: <seven>') +
          "--b--",
      ),
    ),
  );
  expect(mail.attachments.map(({ name }) => name)).toEqual(["four.png", "five.png", "six.png", "seven.svg"]);
  const { attachments, inline } = attachmentsOfMail(mail);
  expect([...attachments, ...inline].map(({ name }) => name).toSorted()).toEqual(
    mail.parts.map(({ name }) => name).toSorted(),
  );
  const large = mail.parts.map((each) => ({ ...each, content: new Uint8Array(INLINE_MAX_BYTES / 2) }));
  expect(attachmentsOfMail({ ...mail, parts: large }).inline.map(({ contentId }) => contentId)).toEqual(["one", "two"]);
});

test("the HTML of a mail is given with the images that it draws, and in turn", async () => {
  const parser = newParser();
  const raw = withBody(
    "Content-Type: multipart/related; boundary=b",
    bytes(
      "--b\r\nContent-Type: text/html\r\n\r\n<p>Hi <img src=cid:one></p>\r\n" +
        "--b\r\nContent-Type: image/png\r\nContent-ID: <one>\r\n\r\nx\r\n--b--",
    ),
  );
  const order: string[] = [];
  const load = (name: string, mail: Uint8Array) => async () => {
    order.push(name);
    return mail;
  };
  const [html, none, bomb] = await Promise.all([
    parser.readHtml(load("html", raw)),
    parser.readHtml(load("none", bytes(`${HEAD}\r\nHello`))),
    parser.readHtml(load("bomb", bytes(`${HEAD}X: ${"a".repeat(500_000)}\r\n\r\nx`))),
  ]);
  expect(order).toEqual(["html", "none", "bomb"]);
  const images = [{ contentId: "one", url: "data:image/png;base64,eAo=" }];
  expect(html).toEqual({ html: expect.stringContaining("<p>Hi <img src=cid:one></p>"), isCut: false, images });
  expect([none, bomb]).toEqual([undefined, undefined]);
  const long = await parser.readHtml(load("long", withBody("Content-Type: text/html", bytes("<p>x".repeat(600_000)))));
  expect([long?.html.length, long?.isCut]).toEqual([2_000_000, true]);
});

/** An element of ASN.1. */
const der = (tag: number, ...parts: Uint8Array[]) => {
  const content = Buffer.concat(parts);
  return new Uint8Array([tag, 0x82, content.length >> 8, content.length & 255, ...content]);
};

test("an opaque S/MIME signature is unwrapped", async () => {
  const inner = der(0x04, bytes("Content-Type: text/plain\r\n\r\nsigned text"));
  const data = new Uint8Array([0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1]);
  const signedOid = new Uint8Array([0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2]);
  const signed = der(0x30, new Uint8Array([2, 1, 1]), der(0x31), der(0x30, data, der(0xa0, inner)));
  const body = Buffer.from(der(0x30, signedOid, der(0xa0, signed))).toString("base64");
  const headers = "Content-Type: application/pkcs7-mime; smime-type=signed-data\r\nContent-Transfer-Encoding: base64";
  expect((await parseMail(withBody(headers, bytes(body)))).text).toBe("signed text");
});

function newParser(timeouts = systemTimeouts) {
  const parser = new MailParser({ timeouts });
  onTestFinished(() => parser.close());
  return parser;
}

test("bombs are unreadable, with their headers, and the next mail is read", async () => {
  const parser = newParser();
  const parts = `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\nx\r\n".repeat(inDepth(1_500, 100_000))}`;
  let depth = HEAD;
  for (let at = 0; at < inDepth(60, 10_000); at++)
    depth += `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`;
  const header = `${HEAD}X: ${"a".repeat(inDepth(500_000, 50_000_000))}\r\n\r\nx`;
  const head = { subject: "Shoes", messageId: "<1@example.com>", from: [{ address: "vera@example.com" }] };
  expect(await parser.parse(bytes(parts))).toMatchObject({ unreadable: "too-many-parts", head });
  expect(await parser.parse(bytes(depth))).toMatchObject({ unreadable: "nested-too-deep", head });
  expect(await parser.parse(bytes(header))).toMatchObject({ unreadable: "headers-too-long", head });
  expect(await parser.parse(bytes(`${HEAD}\r\nHello`))).toMatchObject({ mail: { text: "Hello" }, textOnly: null });
});

test("a mail that takes too long is read once more, its text alone", async () => {
  let waits = 0;
  const parser = newParser({
    after(_ms, act) {
      if (waits++ === 0) queueMicrotask(act);
      return () => {};
    },
  });
  expect(await parser.parse(bytes(`${HEAD}\r\nHello`))).toMatchObject({
    mail: { text: "Hello" },
    textOnly: "took-too-long",
  });
});

test("a mail that always takes too long is unreadable", async () => {
  const parser = newParser({
    after(_ms, act) {
      queueMicrotask(act);
      return () => {};
    },
  });
  expect(await parser.parse(bytes(`${HEAD}\r\nHello`))).toMatchObject({ unreadable: "took-too-long" });
});

test("the thread reads a part of a buffer alone, and the bytes stay the caller's", async () => {
  const parser = new MailParser({ timeouts: systemTimeouts });
  onTestFinished(() => parser.close());
  const around = Buffer.concat([Buffer.from("From: Eve <eve@evil.example>\r\n\r\n"), bytes(`${HEAD}\r\nHello`)]);
  const mail = around.subarray(around.indexOf("From: Vera"));
  const before = Buffer.from(around);
  expect(await parser.readMail(mail)).toMatchObject({ text: "Hello", from: [{ address: "vera@example.com" }] });
  expect(await parser.readMail(mail)).toMatchObject({ text: "Hello" });
  expect(around.equals(before)).toBe(true);
});
