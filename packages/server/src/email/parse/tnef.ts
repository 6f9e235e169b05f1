import { type MapiProperty, mapiTypes, readerOf, readMapiProperties } from "./mapi-properties.ts";

/**
 * What Outlook puts into `winmail.dat` (MS-OXTNEF): the files of a mail, and its text where it is formatted as rich text. A stream of
 * attributes; those of a file follow the one that begins it. Contents are views into the bytes, so that nothing grows by reading.
 */
export interface TnefContent {
  text: string | null;
  html: string | null;
  /** `compressed-rtf.ts` */
  compressedRtf: Uint8Array | null;
  files: readonly TnefFile[];
}

export interface TnefFile {
  name: string | null;
  mime: string | null;
  contentId: string | null;
  content: Uint8Array;
}

const SIGNATURE = 0x223e9f78;
/** More attributes and files are not read; a mail may have mails in it, so deep. */
const ATTRIBUTES_MAX = 5_000;
const FILES_MAX = 100;
const DEPTH_MAX = 3;

const ATTRIBUTES = {
  body: 0x0002800c,
  messageProperties: 0x00069003,
  codePage: 0x00069007,
  fileBegins: 0x00069002,
  fileTitle: 0x00018010,
  fileContent: 0x0006800f,
  fileProperties: 0x00069005,
} as const;

const PROPERTIES = {
  body: 0x1000,
  html: 0x1013,
  rtf: 0x1009,
  object: 0x3701,
  shortName: 0x3704,
  longName: 0x3707,
  mime: 0x370e,
  contentId: 0x3712,
  displayName: 0x3001,
} as const;

/** IID_IMessage, as it is stored: what follows is a mail, in this form again. */
const EMBEDDED_MAIL = "0703020000000000c000000000000046";
const GUID_BYTES = 16;

type Properties = ReadonlyMap<number, MapiProperty>;

interface RawFile {
  title: Uint8Array | undefined;
  content: Uint8Array | undefined;
  properties: Properties;
}

/** Null for what is no such stream; of what is cut off, what is there. */
export function readTnef(bytes: Uint8Array, depth = 0): TnefContent | null {
  const reader = readerOf(bytes);
  if (reader.uint32() !== SIGNATURE) return null;
  reader.uint16();
  let codePage = 1252;
  let body: Uint8Array | undefined;
  let properties: Properties = new Map();
  const files: RawFile[] = [];
  for (let count = 0; count < ATTRIBUTES_MAX && !reader.isAtEnd(); count += 1) {
    reader.uint8();
    const [attribute, length] = [reader.uint32(), reader.uint32()];
    if (attribute === undefined || length === undefined) break;
    const data = reader.bytes(length);
    // Of the checksum nothing depends.
    reader.uint16();
    if (attribute === ATTRIBUTES.body) body = data;
    else if (attribute === ATTRIBUTES.messageProperties) properties = readMapiProperties(data);
    else if (attribute === ATTRIBUTES.codePage) codePage = readerOf(data).uint32() ?? codePage;
    else if (attribute === ATTRIBUTES.fileBegins) {
      if (files.length === FILES_MAX) break;
      files.push({ title: undefined, content: undefined, properties: new Map() });
    } else noteOfFile(files.at(-1), attribute, data);
  }
  const decode = decoderOf(codePage);
  const html = properties.get(PROPERTIES.html);
  const text = textOf(properties.get(PROPERTIES.body), decode) ?? (body ? decode(body) : null);
  return {
    text: withoutNul(text),
    html: html ? withoutNul(textOf(html, decode)) : null,
    compressedRtf: properties.get(PROPERTIES.rtf)?.value ?? null,
    files: files.flatMap((file) => fileOf(file, decode, depth)).slice(0, FILES_MAX),
  };
}

function noteOfFile(file: RawFile | undefined, attribute: number, data: Uint8Array): void {
  if (!file) return;
  if (attribute === ATTRIBUTES.fileTitle) file.title = data;
  else if (attribute === ATTRIBUTES.fileContent) file.content = data;
  else if (attribute === ATTRIBUTES.fileProperties) file.properties = readMapiProperties(data);
}

/** A file; of a mail in it, its text and its files. */
function fileOf({ title, content, properties }: RawFile, decode: Decode, depth: number): TnefFile[] {
  const named = [PROPERTIES.longName, PROPERTIES.shortName].map((id) => textOf(properties.get(id), decode));
  const shown = textOf(properties.get(PROPERTIES.displayName), decode);
  const name = withoutNul(named.find(Boolean) ?? (title ? decode(title) : null) ?? shown);
  const object = properties.get(PROPERTIES.object);
  if (object?.type === mapiTypes.object) {
    const inner = object.value.subarray(GUID_BYTES);
    const isMail = Buffer.from(object.value.subarray(0, GUID_BYTES)).toString("hex") === EMBEDDED_MAIL;
    const mail = isMail && depth < DEPTH_MAX ? readTnef(inner, depth + 1) : null;
    const opened = mail ? [...textFile(mail, name), ...mail.files] : [];
    if (opened.length > 0) return opened;
    return [{ name, mime: null, contentId: null, content: inner }];
  }
  const bytes = content ?? object?.value;
  if (!bytes) return [];
  const [mime, contentId] = [PROPERTIES.mime, PROPERTIES.contentId].map((id) =>
    withoutNul(textOf(properties.get(id), decode)),
  );
  return [{ name, mime: mime ?? null, contentId: contentId ?? null, content: bytes }];
}

function textFile({ text, html }: Pick<TnefContent, "text" | "html">, name: string | null): TnefFile[] {
  const [content, ending] = text === null ? [html, "html"] : [text, "txt"];
  if (content === null) return [];
  const mime = ending === "txt" ? "text/plain" : "text/html";
  return [
    { name: `${name ?? "message"}.${ending}`, mime, contentId: null, content: new TextEncoder().encode(content) },
  ];
}

type Decode = (bytes: Uint8Array) => string;

function textOf(property: MapiProperty | undefined, decode: Decode): string | null {
  if (!property) return null;
  if (property.type === mapiTypes.unicode) return new TextDecoder("utf-16le").decode(property.value);
  return property.type === mapiTypes.string8 || property.type === mapiTypes.binary ? decode(property.value) : null;
}

/** Texts end with NUL. */
function withoutNul(text: string | null): string | null {
  const [plain = ""] = (text ?? "").split("\0", 1);
  return plain === "" ? null : plain;
}

/** The code pages of Windows as WHATWG labels; of another one, Western. */
const LABELS: Readonly<Record<number, string>> = {
  ...{ 874: "windows-874", 932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5", 65001: "utf-8" },
  ...{ 20866: "koi8-r", 21866: "koi8-u", 50220: "iso-2022-jp", 51932: "euc-jp", 54936: "gb18030" },
  ...Object.fromEntries(Array.from({ length: 9 }, (_, index) => [1250 + index, `windows-${1250 + index}`])),
  ...Object.fromEntries([2, 3, 4, 5, 6, 7, 8, 13, 15].map((part) => [28590 + part, `iso-8859-${part}`])),
};

function decoderOf(codePage: number): Decode {
  const decoder = new TextDecoder(LABELS[codePage] ?? "windows-1252");
  return (bytes) => decoder.decode(bytes);
}
