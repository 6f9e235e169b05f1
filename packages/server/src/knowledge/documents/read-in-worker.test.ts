/** What is made to take long, and files that are small and unpack to more than a text can be: they end as unreadable, and neither the thread nor the process with them. */
import { buffer } from "node:stream/consumers";
import { deflateSync } from "node:zlib";
import { systemTimeouts, type Timeouts } from "@frontdesk/server/timeouts";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { expect, onTestFinished, test } from "vitest";
import { ZipFile } from "yazl";
import { DocumentReader } from "./read-in-worker.ts";

const MIB = 1_048_576;

function readerOf(options: { timeouts?: Timeouts; unpackedMaxBytes?: number } = {}): DocumentReader {
  const reader = new DocumentReader({ timeouts: systemTimeouts, ...options });
  onTestFinished(() => reader.close());
  return reader;
}

/** As Word makes it, as far as it is read. */
async function word(text: string): Promise<Buffer> {
  const zip = new ZipFile();
  const parts = {
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
  };
  for (const [name, xml] of Object.entries(parts)) zip.addBuffer(Buffer.from(xml), name);
  zip.end();
  return buffer(zip.outputStream);
}

/** One page, whose content is packed. */
function pdf(content: Buffer): Buffer {
  const packed = deflateSync(content);
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R >>",
    `<< /Length ${packed.byteLength} /Filter /FlateDecode >>\nstream\n${packed.toString("latin1")}\nendstream`,
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join("");
  return Buffer.from(`%PDF-1.4\n${body}trailer << /Size 5 /Root 1 0 R >>\n%%EOF`, "latin1");
}

test("a Word file that unpacks to more than 16 MiB is too much, and the next one is read", async () => {
  const reader = readerOf();
  const small = await word(" ".repeat(17 * MIB));
  expect(small.byteLength).toBeLessThan(MIB);
  expect(await reader.read({ kind: "file", form: "docx", bytes: small })).toEqual({ unreadable: "too-much-memory" });
  const next = await reader.read({ kind: "file", form: "docx", bytes: await word("Three days.") });
  expect(next).toEqual({ result: { title: "", markdown: "Three days." } });
});

test("a ZIP file whose parts are not where it says, or that is none, is broken", async () => {
  const reader = readerOf();
  const moved = await word("Three days.");
  moved.writeUInt32LE(0xffff, moved.lastIndexOf(Buffer.from("PK\u0001\u0002")) + 42);
  for (const bytes of [moved, Buffer.from("PK")]) {
    expect(await reader.read({ kind: "file", form: "docx", bytes })).toEqual({ unreadable: "broken" });
  }
});

test("a PDF that unpacks to more than may be held is given up while it is read", async () => {
  const reader = readerOf({ unpackedMaxBytes: 8 * MIB });
  const bytes = pdf(Buffer.alloc(64 * MIB, " "));
  expect(await reader.read({ kind: "file", form: "pdf", bytes })).toEqual({ unreadable: "too-much-memory" });
});

test("a robots.txt that takes minutes holds up its thread alone, and is given up", async () => {
  const timeouts = heldTimeouts();
  const reader = readerOf({ timeouts });
  const rule = `Disallow: /${"*a".repeat(60)}b\n`;
  const asked = { address: "https://acme.test/robots.txt", agent: "FrontdeskBot" };
  const read = (text: string, page: string) =>
    reader.read({ kind: "robots", ...asked, bytes: Buffer.from(text), pages: [page] });
  const reading = read(`User-agent: *\n${rule.repeat(16_000)}`, `https://acme.test/${"a".repeat(1_500)}`);
  await expect.poll(() => timeouts.waits(10_000)).toBe(true);
  timeouts.advance(10_000);
  expect(await reading).toEqual({ unreadable: "took-too-long" });
  expect(await read("User-agent: *\nDisallow: /a", "https://acme.test/a/b")).toMatchObject({
    result: { mayRead: [false], delay: 0, sitemaps: [] },
  });
});
