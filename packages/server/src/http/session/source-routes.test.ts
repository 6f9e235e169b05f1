/** Websites and files as sources of articles, below `/app/api`. */

import { buffer } from "node:stream/consumers";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { ZipFile } from "yazl";

const kit = await startTestApp();

async function acmeAndMia() {
  const acme = await kit.team();
  const mia = await signedIn(kit, acme);
  const send = (name: string, content: Buffer, as = "draft") =>
    mia.request("POST", `/knowledge/files?name=${encodeURIComponent(name)}&as=${as}`, content, {
      "content-type": "application/octet-stream",
    });
  return { acme, mia, send };
}

test("members import files, and admins alone add, read and remove sites, which is audited", async () => {
  const { acme, mia } = await acmeAndMia();
  const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  expect((await mia.post("/knowledge/sites", { address: "acme.test" })).status).toBe(403);
  const added = await abe.post("/knowledge/sites", { address: "acme.test/help/" });
  expect(added).toMatchObject({
    status: 201,
    body: { site: { address: "https://acme.test/help/", state: "waiting", problem: null, pages: 0, read_at: null } },
  });
  const { id } = added.body.site;
  expect((await mia.get("/knowledge/sites")).body.sites).toHaveLength(1);
  expect((await abe.post(`/knowledge/sites/${id}/read`)).status).toBe(422);
  expect((await mia.delete(`/knowledge/sites/${id}`)).status).toBe(403);
  expect((await abe.delete(`/knowledge/sites/${id}`)).status).toBe(200);
  expect((await abe.get("/knowledge/sites")).body.sites).toEqual([]);
  const { body } = await abe.get("/audit-log");
  expect(body.entries.slice(0, 2)).toMatchObject([{ action: "remove-site" }, { action: "add-site" }]);
});

test("a Markdown file becomes an article with its heading as the question, and keeps its name", async () => {
  const { acme, mia, send } = await acmeAndMia();
  const { status, body } = await send(
    "Returns.md",
    Buffer.from("# How do I send it back?\n\nIn its own box."),
    "published",
  );
  expect([status, body.article_ids.length]).toEqual([201, 1]);
  const [id] = body.article_ids;
  expect((await acme.get(`/articles/${id}`)).body.data.attributes).toMatchObject({
    question: "How do I send it back?",
    answer: "In its own box.",
    is_published: true,
    created_by: mia.actor.agentId,
  });
  expect((await mia.get(`/knowledge/origins?articles=${id},nonsense`)).body.origins).toEqual([
    { article_id: id, source: "file", address: null, file_name: "Returns.md", conversation_id: null },
  ]);
  // Another team knows none of it.
  const other = await acmeAndMia();
  expect((await other.mia.get(`/knowledge/origins?articles=${id}`)).body.origins).toEqual([]);
});

test("of a file that is too long the first 40 parts become articles, and the answer says so", async () => {
  const { send } = await acmeAndMia();
  const sections = Array.from({ length: 42 }, (_, index) => `# Part ${index}\n\n${"All about it. ".repeat(500)}`);
  const cut = await send("Manual.md", Buffer.from(sections.join("\n\n")));
  expect([cut.body.article_ids.length, cut.body.is_whole]).toEqual([40, false]);
  const whole = await send("Part.md", Buffer.from(sections[0] ?? ""));
  expect([whole.body.article_ids.length, whole.body.is_whole]).toEqual([1, true]);
});

test("a PDF and a Word file become drafts", async () => {
  const { acme, send } = await acmeAndMia();
  expect((await send("Opening hours.pdf", pdf("We are open from 9 to 5."))).status).toBe(201);
  expect((await send("Manual.docx", await docx("Turn it on with the green button."))).status).toBe(201);
  const { body } = await acme.get("/articles?status=draft");
  const texts = body.data.map(({ attributes: { question, answer } }: { attributes: Record<string, string> }) => [
    question,
    answer,
  ]);
  expect(texts.toSorted()).toEqual([
    ["Manual", "Turn it on with the green button."],
    ["Opening hours", "We are open from 9 to 5."],
  ]);
});

test.each<[string, string, Buffer]>([
  ["of another form", "setup.exe", Buffer.from("MZ")],
  ["that is no PDF", "broken.pdf", Buffer.from("%PDF-1.7 nothing")],
  ["that is no zip", "broken.docx", Buffer.from("PK nothing")],
  ["without text", "empty.txt", Buffer.from(" \n ")],
])("a file %s is refused in words", async (_what, name, content) => {
  const { acme, send } = await acmeAndMia();
  const { status, body } = await send(name, content);
  expect([status, Object.keys(body.errors)]).toEqual([422, ["file"]]);
  expect((await acme.get("/articles")).body.data).toEqual([]);
});

test("a file of more than 10 MB is not read", async () => {
  const { send } = await acmeAndMia();
  expect((await send("large.txt", Buffer.alloc(10 * 1_048_576 + 1, "x"))).status).toBe(413);
});

/** A PDF of one page with this line. */
function pdf(line: string): Buffer {
  const content = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 6\n0000000000 65535 f \n${offsets.join("")}trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`;
  return Buffer.from(text, "latin1");
}

/** A Word file of one paragraph. */
function docx(line: string): Promise<Buffer> {
  const zip = new ZipFile();
  const add = (name: string, text: string) => zip.addBuffer(Buffer.from(`<?xml version="1.0"?>${text}`), name);
  const office = "http://schemas.openxmlformats.org";
  add(
    "[Content_Types].xml",
    `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
  );
  add(
    "_rels/.rels",
    `<Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="r1" Type="${office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
  );
  add(
    "word/document.xml",
    `<w:document xmlns:w="${office}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${line}</w:t></w:r></w:p></w:body></w:document>`,
  );
  zip.end();
  return buffer(zip.outputStream);
}
