import type { ParsedMail } from "./parsed-mail.ts";

/** A text part that only says to look at the HTML. Longer ones say more than that. */
const STUB_MAX = 300;
const STUBS = [
  /\b(view|open|read|see)\b.{0,60}\b(browser|html|online|web ?page)\b/i,
  /\bhtml[- ](capable|compatible|enabled|format|mail|email|e-mail|message|version)\b/i,
  /\b(does not|doesn't|cannot|can't) (support|display|show)\b.{0,40}\bhtml\b/i,
  /\b(im|in ihrem|in deinem) browser\b/i,
  /\bHTML-(Mail|E-Mail|Ansicht|Format)/i,
  /\bdans (votre|le|un) navigateur\b/i,
  /\ben (su|tu|el) navegador\b/i,
  /\bnel (tuo |suo )?browser\b/i,
  /\bin (uw|je) browser\b/i,
];

export interface MailText {
  text: string;
  from: "text" | "html" | "nothing";
}

/** The text part, unless it is empty or a stub beside HTML that says more; else the HTML made text. "" when there is neither. */
export function textOfMail({ text, textOfHtml }: Pick<ParsedMail, "text" | "textOfHtml">): MailText {
  const written = text?.trim() ?? "";
  const ofHtml = textOfHtml?.trim() ?? "";
  if (written !== "" && !(ofHtml !== "" && isStub(written, ofHtml))) return { text: text ?? "", from: "text" };
  return ofHtml === "" ? { text: written, from: "nothing" } : { text: textOfHtml ?? "", from: "html" };
}

function isStub(written: string, ofHtml: string): boolean {
  return written.length <= STUB_MAX && ofHtml.length > written.length && STUBS.some((stub) => stub.test(written));
}
