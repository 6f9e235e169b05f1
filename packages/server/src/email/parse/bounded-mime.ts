import PostalMime, { type Email } from "postal-mime";
import { decodeUndeclared, decodeUtf7, isUtf7, readableCharset, undeclaredCharset } from "./decode-text.ts";
import { HEADERS_MAX_BYTES } from "./mail-head.ts";
import { MailRefused } from "./unreadable.ts";

export const PARTS_MAX = 1_000;
export const NESTING_MAX = 50;
/** 50 MB in base64 are 700,000 lines. postal-mime takes some microseconds for each: 50 million empty ones would take minutes. */
export const LINES_MAX = 2_000_000;

const DASH = 0x2d;
const CARRIAGE_RETURN = 0x0d;

/** As postal-mime 4.0.0 has it inside; its types leave it out. Its version is exact, and the tests here fail when this changes. */
interface Node {
  state: "header" | "body" | "finished";
  childNodes: Node[];
  content: ArrayBuffer | null;
  feed(line: Uint8Array): void;
  contentType: { multipart: string | false; parsed: { value: string; params: Record<string, string> } };
}
interface Internals {
  root: Node;
  currentNode: Node;
  processLine(line: Uint8Array<ArrayBuffer>, isFinal: boolean): Promise<void> | undefined;
  collectNode(node: Node, alternative: Node | false, related: boolean): Promise<void>;
  isInlineTextNode(node: Node): boolean;
  parse(bytes: Uint8Array): Promise<Email>;
}
const Base = PostalMime as unknown as new (options: object) => Internals;

export interface MimeContent {
  email: Email;
  type: string;
  params: Record<string, string>;
}

/** @throws MailRefused beyond the bounds */
export async function readBoundedMime(bytes: Uint8Array): Promise<MimeContent> {
  boundLines(bytes);
  const parser = new BoundedMime({
    maxNestingDepth: NESTING_MAX,
    maxHeadersSize: HEADERS_MAX_BYTES,
    // A mail within a mail is a file; read as one, its text would stand in the message as if the sender had written it.
    forceRfc822Attachments: true,
    maxRfc822NestingDepth: 0,
  });
  try {
    const email = await parser.parse(bytes);
    const { value, params } = parser.root.contentType.parsed;
    return { email, type: value.toLowerCase(), params };
  } catch (error) {
    const text = error instanceof Error ? error.message : "";
    if (text.startsWith("Maximum MIME nesting depth")) throw new MailRefused("nested-too-deep");
    if (text.startsWith("Maximum header size")) throw new MailRefused("headers-too-long");
    throw error;
  }
}

/** What postal-mime leaves open: breadth, 8-bit headers, undeclared charsets, and multiparts that declare no boundary. */
class BoundedMime extends Base {
  #parts = 1;

  override processLine(line: Uint8Array<ArrayBuffer>, isFinal: boolean): Promise<void> | undefined {
    const { currentNode } = this;
    const mayBeBoundary = line[0] === DASH && line[1] === DASH;
    if (currentNode.state === "header" || mayBeBoundary || isFinal) return this.#readLine(line, isFinal);
    // Nearly all lines of a large mail are these, and need no promise.
    currentNode.feed(line);
  }

  async #readLine(line: Uint8Array<ArrayBuffer>, isFinal: boolean): Promise<void> {
    const before = this.currentNode;
    await super.processLine(before.state === "header" ? inUtf8(line) : line, isFinal);
    // Every part becomes the current one when its boundary is read.
    if (this.currentNode !== before && this.currentNode.state === "header" && ++this.#parts > PARTS_MAX) {
      throw new MailRefused("too-many-parts");
    }
  }

  override collectNode(node: Node, alternative: Node | false, related: boolean): Promise<void> {
    const { parsed } = node.contentType;
    if (node.contentType.multipart && node.childNodes.length === 0 && node.content?.byteLength) {
      node.contentType.multipart = false;
      node.contentType.parsed = { value: "text/plain", params: {} };
    }
    // As postal-mime knows no part without a type.
    if (!/^[^\s/]+\/[^\s/]+$/.test(parsed.value)) parsed.value = node.contentType.parsed.value = typeOfMalformed(node);
    if (node.content) chooseCharset(node, node.content, this.isInlineTextNode(node));
    return super.collectNode(node, alternative, related);
  }
}

/** @param isShown a file keeps its bytes */
function chooseCharset(node: Node, content: ArrayBuffer, isShown: boolean): void {
  const { params } = node.contentType.parsed;
  const bytes = new Uint8Array(content);
  if (!isDeclared(params.charset)) params.charset = undeclaredCharset(bytes);
  else if (isShown && isUtf7(params.charset)) {
    node.content = new TextEncoder().encode(decodeUtf7(bytes)).buffer;
    params.charset = "utf-8";
  } else params.charset = readableCharset(params.charset, bytes);
}

/** Native searches: what is far beyond a bound is refused before postal-mime looks at each of its bytes. */
function boundLines(bytes: Uint8Array): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = 0;
  let inHeaders = true;
  for (let lines = 1; start < buffer.length; lines++) {
    if (lines > LINES_MAX) throw new MailRefused("too-many-lines");
    const found = buffer.indexOf("\n", start);
    const end = found === -1 ? buffer.length : found;
    if (inHeaders && end > HEADERS_MAX_BYTES) throw new MailRefused("headers-too-long");
    if (end - start === 0 || (end - start === 1 && buffer[start] === CARRIAGE_RETURN)) inHeaders = false;
    start = end + 1;
  }
}

/** `us-ascii` with other letters is what programs write that don't know. */
function isDeclared(charset: string | undefined): charset is string {
  return charset !== undefined && !/^\s*(us-ascii|ascii|unknown-8bit|x-unknown|default_charset)?\s*$/i.test(charset);
}

/** `text` alone, or nothing: RFC 2045, 5.2. A text whose parameters no semicolon begins is one. Any other is a file. */
function typeOfMalformed(node: Node): string {
  const value = node.contentType.parsed.value.trim().toLowerCase();
  if (/^(text)?$/.test(value)) return "text/plain";
  return /^(text\/(?:plain|html))\s/.exec(value)?.[1] ?? "application/octet-stream";
}

function inUtf8(line: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (line.every((byte) => byte < 0x80)) return line;
  return new TextEncoder().encode(decodeUndeclared(line));
}
