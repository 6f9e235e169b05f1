import type { ArticlePart, TextPiece } from "@frontdesk/core/contract/visitor";
import { lexer, type Token, type Tokens } from "marked";

type ListItem = Extract<ArticlePart, { type: "list" }>["items"][number];

/** What a link may open. */
const LINKABLE = /^(https?:\/\/|mailto:)/i;

/**
 * An answer in its parts, read by the parser of the dashboard's preview. Only text is left, and links that are safe to open:
 * HTML is dropped, an image is a link to it, a row of a table is a paragraph, a quote its paragraphs.
 */
export function articleParts(answer: string): ArticlePart[] {
  return partsOf(lexer(answer, { gfm: true, breaks: true }));
}

function partsOf(tokens: readonly Token[]): ArticlePart[] {
  return tokens.flatMap(partsOfToken).filter((part) => part.type === "list" || textOf(part.text).trim() !== "");
}

function partsOfToken(token: Token): ArticlePart[] {
  switch (token.type) {
    case "heading":
    case "paragraph":
      return [{ type: token.type, text: piecesOf(token.tokens) }];
    case "text":
      return [{ type: "paragraph", text: piecesOf([token]) }];
    case "code":
      return [{ type: "code", text: [{ text: token.text }] }];
    case "blockquote":
      return partsOf(token.tokens ?? []);
    case "list":
      return [{ type: "list", items: itemsOf(token as Tokens.List, 0) }];
    case "table":
      return rowsOf(token as Tokens.Table);
    default:
      return [];
  }
}

function rowsOf({ header, rows }: Tokens.Table): ArticlePart[] {
  return [header, ...rows].map((cells) => ({
    type: "paragraph",
    text: cells.flatMap(({ tokens }, index) => [...(index > 0 ? [{ text: " | " }] : []), ...piecesOf(tokens)]),
  }));
}

/** Every item with those below it; the paragraphs of an item are lines of its text. */
function itemsOf(list: Tokens.List, depth: number): ListItem[] {
  const start = Number(list.start || 1);
  return list.items.flatMap((item, index): ListItem[] => {
    const own: TextPiece[] = [];
    const below: ListItem[] = [];
    for (const token of item.tokens) {
      if (token.type === "list") below.push(...itemsOf(token as Tokens.List, depth + 1));
      else {
        for (const part of partsOfToken(token)) {
          if (part.type !== "list") own.push(...(own.length > 0 ? [{ text: "\n" }] : []), ...part.text);
        }
      }
    }
    return [{ depth, ...(list.ordered && { number: start + index }), text: merged(own) }, ...below];
  });
}

function piecesOf(tokens: readonly Token[] = []): TextPiece[] {
  return merged(tokens.flatMap(piecesOfToken));
}

function piecesOfToken(token: Token): TextPiece[] {
  switch (token.type) {
    case "link":
      return [linkTo(token.href, textOf(piecesOf(token.tokens)))];
    case "image":
      return [linkTo(token.href, token.text || token.href)];
    case "br":
      return [{ text: "\n" }];
    case "escape":
    case "codespan":
      return [{ text: token.text }];
    case "text":
      return token.tokens ? piecesOf(token.tokens) : [{ text: withoutEntities(token.text) }];
    case "strong":
    case "em":
    case "del":
      return piecesOf(token.tokens);
    default:
      return [];
  }
}

function linkTo(href: string, text: string): TextPiece {
  return LINKABLE.test(href) && URL.canParse(href) ? { text: text.trim() || href, href } : { text };
}

/** Neighboring pieces without a link are one. */
function merged(pieces: readonly TextPiece[]): TextPiece[] {
  const result: TextPiece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (last && last.href === undefined && piece.href === undefined) last.text += piece.text;
    else result.push({ ...piece });
  }
  return result;
}

export const textOf = (pieces: readonly TextPiece[]): string => pieces.map(({ text }) => text).join("");

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u{a0}" };

/** Markdown keeps the entities of HTML, which browsers decode in the preview. */
function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (entity, decimal, hexadecimal, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
    const code = Number.parseInt(decimal ?? hexadecimal, decimal === undefined ? 16 : 10);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : entity;
  });
}
