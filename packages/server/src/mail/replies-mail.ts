import { type ChatMessage, isByAi } from "../conversations/chat-message.ts";
import { presentFaceToVisitors } from "../conversations/present-face.ts";
import type { RepliesToMail } from "../conversations/replies-to-mail.ts";
import { html, type Markup } from "../http/pages/page.ts";
import type { Mail } from "./mail.ts";
import { type RepliesMailTexts, repliesMailTexts } from "./replies-mail-texts.ts";

/** The e-mail with replies for a visitor who has left: all unseen ones, and a link back. */
export function repliesMail(conversationId: string, replies: RepliesToMail): Mail {
  const texts = repliesMailTexts[replies.language];
  return {
    to: replies.email,
    senderName: replies.teamName,
    ...(replies.answerTo !== undefined && { replyTo: replies.answerTo }),
    id: `${conversationId}.${replies.upTo}`,
    subject: texts.subject(replies.teamName),
    text: plainText(replies, texts),
    html: markup(replies, texts).text,
  };
}

function plainText({ teamName, page, replies, answerTo }: RepliesToMail, texts: RepliesMailTexts): string {
  const said = replies.map((reply) =>
    [`${authorOf(reply, { teamName, texts })}:`, reply.message.content, ...reply.attachments.map(fileLine)]
      .filter(Boolean)
      .join("\n"),
  );
  const back = page === undefined ? texts.openChat : `${texts.backToChat}: ${page}`;
  const answer = answerTo === undefined ? texts.answerThere : texts.answerHere;
  return `${[texts.intro(teamName), ...said, back, `${answer}\n${texts.why(teamName)}`].join("\n\n")}\n`;
}

/** With a label for the AI, which no setting removes. */
function authorOf(
  { agent, message }: ChatMessage,
  { teamName, texts }: { teamName: string; texts: RepliesMailTexts },
): string {
  const name = (agent && presentFaceToVisitors(agent).name) ?? teamName;
  return isByAi(message) ? `${name} (${texts.ai})` : name;
}

const fileLine = ({ name, url }: ChatMessage["attachments"][number]): string => (name ? `${name}: ${url}` : url);

/** Inline styles: mail programs remove style sheets. */
function markup({ language, teamName, page, replies, answerTo }: RepliesToMail, texts: RepliesMailTexts): Markup {
  return html`<!doctype html>
<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">
<head><meta charset="utf-8"><title>${texts.subject(teamName)}</title></head>
<body style="margin:0 auto;max-width:36em;padding:1em;font:15px/1.5 system-ui,sans-serif">
<p>${texts.intro(teamName)}</p>
${replies.map((reply) => replyMarkup(reply, { teamName, texts }))}
<p>${page === undefined ? texts.openChat : html`<a href="${page}">${texts.backToChat}</a>`}</p>
<p style="font-size:13px;opacity:.7">${answerTo === undefined ? texts.answerThere : texts.answerHere}<br>${texts.why(teamName)}</p>
</body>
</html>
`;
}

function replyMarkup(reply: ChatMessage, by: Parameters<typeof authorOf>[1]): Markup {
  const lines = (reply.message.content ?? "")
    .split("\n")
    .map((line, index) => (index === 0 ? line : html`<br>${line}`));
  const files = reply.attachments.map(({ name, url }) => html`<br><a href="${url}" dir="auto">${name ?? url}</a>`);
  return html`<p><b>${authorOf(reply, by)}</b><br><span dir="auto">${lines}</span>${files}</p>
`;
}
