/** The REST operations of the copilot (additions, section 3; docs/decisions/0080-copilot.md). */
import { Type } from "typebox";
import {
  COPILOT_TEXT_MAX,
  INSTRUCTION_MAX,
  LANGUAGE_MAX,
  rewriteWays,
  SUGGESTED_TAGS_MAX,
} from "../../domain/ai/copilot.ts";
import { ids, tag } from "../examples.ts";
import { choice, idOf, nullable, text, uuid } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { TeamTag } from "../resources.ts";

/** A text for an agent, who decides what becomes of it. */
export const CopilotText = Type.Object({
  text: Type.String(),
  /** The articles that it rests on. */
  sources: Type.Array(Type.Object({ article_id: uuid, title: Type.String() })),
  /** The sentences of a draft that rest on no article, word for word. */
  unsourced: Type.Array(Type.String()),
});
const answered = Type.Object({ data: CopilotText });

const STREAMED =
  "With `Accept: text/event-stream` the same is streamed: events `delta` `{text}`, then `end` `{text, sources, unsourced}`, or `error` `{message}`.";
const NEEDS_MODEL = "Needs a model, not that the AI is switched on: without one it returns 422.";
const byConversation = Type.Object({ conversation_id: idOf("the conversation") });

export const draftReply = {
  id: "draftReply",
  performs: "draft-reply",
  method: "POST",
  path: "/conversations/{conversation_id}/ai/draft",
  tag: "AI",
  summary: "Draft a reply",
  description: `Writes a reply to the visitor's last messages from the team's articles, for an agent to change and send. Nothing is sent or stored. ${STREAMED} ${NEEDS_MODEL}`,
  params: byConversation,
  body: Type.Object({
    instruction: Type.Optional(
      nullable(text(INSTRUCTION_MAX, { description: "What the reply should say, in the agent's own words." })),
    ),
  }),
  responses: { 200: { description: "The draft.", body: answered } },
  errors: [404, 422],
  example: {
    params: { conversation_id: ids.conversation },
    body: { instruction: "Offer express delivery" },
    response: {
      data: {
        text: "We ship to Portugal within three days. Would express delivery help you?",
        sources: [{ article_id: ids.article, title: "Where do you ship to?" }],
        unsourced: ["Would express delivery help you?"],
      },
    },
  },
} as const satisfies RestOperation;

export const summariseConversation = {
  id: "summariseConversation",
  performs: "summarise-conversation",
  method: "POST",
  path: "/conversations/{conversation_id}/ai/summary",
  tag: "AI",
  summary: "Summarise a conversation",
  description: `What a conversation is about, what was tried and what is open, in a few lines. Nothing is stored. ${STREAMED} ${NEEDS_MODEL}`,
  params: byConversation,
  body: Type.Object({
    language: Type.Optional(
      nullable(
        text(LANGUAGE_MAX, { description: "The language of the summary, BCP 47; left out: that of the conversation." }),
      ),
    ),
  }),
  responses: { 200: { description: "The summary.", body: answered } },
  errors: [404, 422],
  example: {
    params: { conversation_id: ids.conversation },
    body: {},
    response: {
      data: {
        text: "Vera asks whether we ship to Portugal. Open: the price of express delivery.",
        sources: [],
        unsourced: [],
      },
    },
  },
} as const satisfies RestOperation;

export const suggestTags = {
  id: "suggestTags",
  performs: "suggest-tags",
  method: "POST",
  path: "/conversations/{conversation_id}/ai/tags",
  tag: "AI",
  summary: "Suggest tags",
  description: `Which of the team's tags fit a conversation, up to ${SUGGESTED_TAGS_MAX}, the best first. Tags it has already are left out, and none is added to it. ${NEEDS_MODEL}`,
  params: byConversation,
  responses: {
    200: { description: "The tags that fit; none if none does.", body: Type.Object({ data: Type.Array(TeamTag) }) },
  },
  errors: [404, 422],
  example: {
    params: { conversation_id: ids.conversation },
    response: { data: [tag] },
  },
} as const satisfies RestOperation;

export const rewriteText = {
  id: "rewriteText",
  performs: "rewrite-text",
  method: "POST",
  path: "/ai/rewrite",
  tag: "AI",
  summary: "Rewrite a text",
  description: `Makes a text shorter, friendlier or more formal, corrects it, or translates it. ${STREAMED} ${NEEDS_MODEL}`,
  body: Type.Object({
    text: text(COPILOT_TEXT_MAX, { minLength: 1 }),
    how: choice(rewriteWays),
    language: Type.Optional(
      nullable(text(LANGUAGE_MAX, { description: "Required to translate: the language to translate to, BCP 47." })),
    ),
  }),
  responses: { 200: { description: "The new text.", body: answered } },
  errors: [422],
  example: {
    body: { text: "we dont ship there", how: "fix" },
    response: { data: { text: "We don't ship there.", sources: [], unsourced: [] } },
  },
} as const satisfies RestOperation;
