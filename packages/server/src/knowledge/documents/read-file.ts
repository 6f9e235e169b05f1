import mammoth from "mammoth";
import { extractText, getDocumentProxy } from "unpdf";
import { openZip } from "./open-zip.ts";
import { toMarkdown } from "./to-markdown.ts";

export type FileForm = "pdf" | "docx" | "markdown" | "text";

export interface FileText {
  /** As the file says itself; "" where it says none. */
  title: string;
  markdown: string;
}

/** @throws what the parser of its form throws on a file that is broken, or encrypted */
export async function readFile(bytes: Uint8Array, form: FileForm): Promise<FileText> {
  switch (form) {
    case "pdf":
      return readPdf(bytes);
    case "docx":
      return titled(toMarkdown(await readDocx(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))));
    case "markdown":
      return titled(decoded(bytes));
    case "text":
      return { title: "", markdown: decoded(bytes) };
    default:
      return form satisfies never;
  }
}

async function readDocx(bytes: Buffer): Promise<string> {
  // mammoth takes an opened file, which its types leave out. Pictures are left out of the text, so they are not unpacked.
  const file = { file: openZip(bytes) } as unknown as { buffer: Buffer };
  const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
  const { value } = await mammoth.convertToHtml(file, { externalFileAccess: false, convertImage });
  return value;
}

async function readPdf(bytes: Uint8Array): Promise<FileText> {
  const document = await getDocumentProxy(bytes);
  const { text } = await extractText(document, { mergePages: false });
  return { title: "", markdown: text.map((page) => page.trim()).join("\n\n") };
}

/** The first heading is the title, and is not said again. */
function titled(markdown: string): FileText {
  const [, title = "", rest = ""] = /^\s*#\s+([^\n]+)\n?([\s\S]*)$/.exec(markdown) ?? [];
  return title && rest.trim() ? { title: title.trim(), markdown: rest.trim() } : { title: "", markdown };
}

/** UTF-16 where its mark says so, else UTF-8. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const charset =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(charset).decode(bytes);
}
