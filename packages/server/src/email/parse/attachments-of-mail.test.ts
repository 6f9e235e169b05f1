import fc from "fast-check";
import { expect, test } from "vitest";
import { attachmentsOfMail } from "./attachments-of-mail.ts";
import type { MailPart } from "./parsed-mail.ts";

const IDS = ["one", "two@vera.example", "a&b", "50%25", "ü", "x y"];
const part = fc.record<MailPart>({
  name: fc.constantFrom(null, "a.png", "b.pdf"),
  mime: fc.constantFrom("image/png", "image/jpeg", "image/svg+xml", "application/pdf", "text/html"),
  contentId: fc.option(fc.constantFrom(...IDS)),
  disposition: fc.constantFrom(null, "inline", "attachment"),
  content: fc.nat(9).map((bytes) => new Uint8Array(bytes)),
});
const reference = fc
  .tuple(
    fc.constantFrom(...IDS),
    fc.constantFrom(
      (id: string) => `<img src="cid:${encodeURIComponent(id)}">`,
      (id: string) =>
        `<img alt="a" SRC = 'cid:${id.replaceAll("&", "&amp;").replaceAll(" ", "%20").replaceAll("%25", "%2525")}'>`,
      (id: string) => `<p style="background:url( &quot;cid:${encodeURIComponent(id)}&quot; )">`,
      (id: string) => `<a href="cid:${id}">cid:${id}</a>`,
    ),
  )
  .map(([id, write]) => write(id));

test("whatever a mail has, every part is shown or listed, and none is both (B23)", () => {
  let shown = 0;
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.array(reference, { maxLength: 6 }), (parts, references) => {
      const html = references.join("text");
      const { attachments, inline } = attachmentsOfMail({ html, parts });
      const contents = [...attachments, ...inline].map(({ content }) => content);
      expect(contents).toHaveLength(parts.length);
      expect(parts.filter(({ content }) => !contents.includes(content))).toEqual([]);
      expect(attachments.every(({ name }) => name !== "")).toBe(true);
      // One id is one image: the HTML shows it in all of its places.
      const ids = inline.map(({ contentId }) => contentId);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { contentId, mime } of inline) {
        expect(mime).toMatch(/^image\/(png|jpeg)$/);
        expect(references.some((written) => !written.startsWith("<a") && decoded(written).includes(contentId))).toBe(
          true,
        );
      }
      shown += inline.length;
    }),
  );
  expect(shown).toBeGreaterThan(20);
});

function decoded(text: string): string {
  const plain = text.replaceAll("&amp;", "&");
  try {
    return `${plain} ${decodeURIComponent(plain)}`;
  } catch {
    return plain;
  }
}
