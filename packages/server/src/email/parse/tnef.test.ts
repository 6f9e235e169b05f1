/** What Outlook puts into winmail.dat (reference: B24, B26; F13). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCompressedRtf } from "./compressed-rtf.ts";
import { parseMail } from "./parse-mail.ts";
import { readTnef } from "./tnef.ts";
import { binary, embedded, string8, tnefOf, unicode } from "./tnef-for-tests.ts";

const [HTML, BODY, RTF, LONG_NAME, MIME, CONTENT_ID] = [0x1013, 0x1000, 0x1009, 0x3707, 0x370e, 0x3712];
const report = {
  title: "REPORT~1.TXT",
  content: Buffer.from("Figures"),
  properties: [unicode(LONG_NAME, "Räport 4.txt")],
};

const textOf = (content: Uint8Array): string => Buffer.from(content).toString();

const mailWith = (winmail: Buffer, { text = "", mime = "application/ms-tnef", name = "winmail.dat" } = {}) =>
  Buffer.from(
    [
      ...["From: vera@vera.example", "To: support@acme.example", "Subject: Report", "MIME-Version: 1.0"],
      ...['Content-Type: multipart/mixed; boundary="b"', "", "--b", "Content-Type: text/plain", "", text],
      ...["--b", `Content-Type: ${mime}; name="${name}"`, "Content-Transfer-Encoding: base64", ""],
      ...[winmail.toString("base64"), "--b--", ""],
    ].join("\r\n"),
  );

describe("winmail.dat", () => {
  test("its files are those of the mail, with their long names, types and ids", async () => {
    const logo = {
      content: Buffer.from("PNG"),
      properties: [string8(LONG_NAME, "logo.png"), string8(MIME, "image/png")],
    };
    const stream = tnefOf({
      files: [report, { ...logo, properties: [...logo.properties, unicode(CONTENT_ID, "logo@a")] }],
    });
    const { attachments, text } = await parseMail(mailWith(stream, { text: "See the report." }));
    expect(text).toBe("See the report.");
    const listed = attachments.map(({ name, mime, contentId, content }) => [name, mime, contentId, textOf(content)]);
    expect(listed).toEqual([
      ["Räport 4.txt", "application/octet-stream", null, "Figures"],
      ["logo.png", "image/png", "logo@a", "PNG"],
    ]);
  });

  test("its HTML with images, or its text, is that of a mail that has no other", async () => {
    const html = Buffer.from('<p>Gr\u00fc\u00dfe</p><img src="cid:logo@a">', "latin1");
    const image = {
      content: Buffer.from("PNG"),
      properties: [string8(MIME, "image/png"), string8(CONTENT_ID, "logo@a")],
    };
    const stream = tnefOf({ properties: [binary(HTML, html)], files: [image] });
    const shown = await parseMail(mailWith(stream));
    expect(shown).toMatchObject({ html: expect.stringContaining("Grüße"), attachments: [] });
    expect(shown.textOfHtml).toContain("Grüße");
    const plain = tnefOf({
      codePage: 1251,
      properties: [{ ...string8(BODY, ""), value: Buffer.from([0xcf, 0xf0, 0xe8]) }],
    });
    expect(await parseMail(mailWith(plain))).toMatchObject({ text: "При", html: null, attachments: [] });
    expect(await parseMail(mailWith(plain, { text: "Hello" }))).toMatchObject({ text: "Hello" });
  });

  test("by its name alone it is one too, and one that is none stays a file", async () => {
    const stream = tnefOf({ files: [report] });
    const named = await parseMail(mailWith(stream, { mime: "application/octet-stream", name: "WINMAIL.DAT" }));
    expect(named.attachments.map(({ name }) => name)).toEqual(["Räport 4.txt"]);
    const broken = await parseMail(mailWith(Buffer.from("no such stream")));
    expect(broken.attachments.map(({ name, content }) => [name, content.length])).toEqual([["winmail.dat", 14]]);
  });

  test("a mail in it is its text and its files; another object is a file", () => {
    const inner = tnefOf({ properties: [unicode(BODY, "Inner words")], files: [report] });
    const object = { ...embedded(Buffer.from("OLE")), value: Buffer.concat([Buffer.alloc(16, 1), Buffer.from("OLE")]) };
    const files = [
      { title: "Mail", properties: [embedded(inner)] },
      { title: "Chart", properties: [object] },
    ];
    const read = readTnef(tnefOf({ files }));
    expect(read?.files.map(({ name, content }) => [name, textOf(content)])).toEqual([
      ["Mail.txt", "Inner words"],
      ["Räport 4.txt", "Figures"],
      ["Chart", "OLE"],
    ]);
  });

  test("its rich text is a file where there is no other text", async () => {
    // The example of MS-OXRTFCP, 4.1.1.
    const compressed = Buffer.from(
      "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0",
      "hex",
    );
    const rtf = "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n";
    expect(String(Buffer.from(readCompressedRtf(compressed) ?? []))).toBe(rtf);
    const formatted = mailWith(tnefOf({ properties: [binary(RTF, compressed)], files: [report] }));
    expect((await parseMail(formatted)).attachments.map(({ name }) => name)).toEqual(["message.rtf", "Räport 4.txt"]);
    const said = mailWith(tnefOf({ properties: [binary(RTF, compressed)] }), { text: "Hello" });
    expect(await parseMail(said)).toMatchObject({ text: "Hello", attachments: [] });
  });
});

describe("hostile ones", () => {
  test("a stream with anything in it is read or not, within what it has, and never throws", () => {
    const inner = tnefOf({ properties: [unicode(BODY, "x")], files: [report] });
    const seed = tnefOf({
      properties: [unicode(BODY, "Hello"), binary(HTML, Buffer.from("<p>x</p>")), binary(RTF, Buffer.alloc(40, 7))],
      files: [report, { title: "Mail", properties: [embedded(inner)] }],
    });
    const changes = fc.array(fc.record({ at: fc.nat(seed.length - 1), byte: fc.nat(255) }), { maxLength: 12 });
    fc.assert(
      fc.property(changes, fc.nat(seed.length), (changed, end) => {
        const bytes = Buffer.from(seed);
        for (const { at, byte } of changed) bytes[at] = byte;
        for (const stream of [bytes, bytes.subarray(0, end)]) {
          const read = readTnef(stream);
          const total = read?.files.reduce((sum, { content }) => sum + content.length, 0) ?? 0;
          expect(total).toBeLessThanOrEqual(10 * stream.length);
        }
      }),
      { numRuns: 500 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => void readCompressedRtf(bytes)));
  });

  test("lengths that are not there, thousands of files and mails within mails are bounded", () => {
    const many = tnefOf({ files: Array.from({ length: 1_000 }, () => ({ content: Buffer.from("x") })) });
    expect(readTnef(many)?.files).toHaveLength(100);
    let nested = tnefOf({ properties: [unicode(BODY, "deepest")] });
    for (let depth = 0; depth < 20; depth += 1)
      nested = tnefOf({ files: [{ title: "m", properties: [embedded(nested)] }] });
    expect(readTnef(nested)?.files).toHaveLength(1);
    const huge = readCompressedRtf(Buffer.from("ffffffffffffff7f4c5a4675000000000000", "hex"));
    expect(huge?.length ?? 0).toBeLessThan(200);
  });
});
