/** The REST operations on what the built-in AI has done (additions, section 3; docs/decisions/0075-turns-of-the-ai.md). */
import { type Static, Type } from "typebox";
import { aiOutcomes, handoffRuleFields } from "../../domain/ai/ai-settings.ts";
import { ids, listOfOne, moments } from "../examples.ts";
import { choice, idOf, nullable, pageQuery, timestamp, uuid } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { Conversation, dataOf, listOf, messageAndDataOf, resource } from "../resources.ts";

const nullableString = nullable(Type.String());

export const AiRun = resource(
  "ai-runs",
  uuid,
  Type.Object({
    conversation_id: uuid,
    message_id: nullable(uuid),
    outcome: choice(aiOutcomes),
    reason: nullableString,
    rule: nullable(
      Type.Object(
        { field: choice(handoffRuleFields), value: Type.String() },
        { description: "The rule of `handoff_rules` that applied. Null if none did." },
      ),
    ),
    sources: Type.Array(Type.Object({ article_id: uuid, title: Type.String() })),
    calls: Type.Array(
      Type.Object({
        model: nullable(Type.String({ description: "The model that was asked. Null in runs of earlier versions." })),
        request: Type.String({ description: "What the model was sent, without keys." }),
        response: Type.String(),
        status: nullable(Type.Integer({ description: "The HTTP status. Null if there was no response." })),
        milliseconds: Type.Integer({ minimum: 0 }),
        check: nullable(Type.String({ description: "Why the response was not used. Null if it was." })),
      }),
    ),
    searches: Type.Array(
      Type.Object({
        query: Type.String(),
        found: Type.Integer({ minimum: 0, description: "How many passages it added." }),
      }),
      { description: "What the model searched the articles for, besides the visitor's own words." },
    ),
    tokens_in: Type.Integer({ minimum: 0 }),
    tokens_out: Type.Integer({ minimum: 0 }),
    milliseconds: Type.Integer({ minimum: 0 }),
    created_at: timestamp,
  }),
);
export type AiRun = Static<typeof AiRun>;

const run: AiRun = {
  type: "ai-runs",
  id: ids.aiRun,
  attributes: {
    conversation_id: ids.conversation,
    message_id: ids.reply,
    outcome: "answered",
    reason: "grounded",
    rule: null,
    sources: [{ article_id: ids.article, title: "How long does a parcel take?" }],
    calls: [
      {
        model: "gpt-5-mini",
        request: '{"model":"gpt-5-mini","messages":[]}',
        response: "SEARCH parcel delivery time",
        status: 200,
        milliseconds: 610,
        check: null,
      },
      {
        model: "gpt-5-mini",
        request: '{"model":"gpt-5-mini","messages":[]}',
        response: "ANSWER\nParcels take 3 working days. [1]",
        status: 200,
        milliseconds: 1_840,
        check: null,
      },
    ],
    searches: [{ query: "parcel delivery time", found: 2 }],
    tokens_in: 2_212,
    tokens_out: 24,
    milliseconds: 2_531,
    created_at: moments.answered,
  },
};

export const listAiRuns = {
  id: "listAiRuns",
  performs: "list-ai-runs",
  method: "GET",
  path: "/ai/runs",
  tag: "AI",
  summary: "List AI runs",
  description:
    "What the AI did for each question, newest first: how it ended and why, and the requests to the model. They are kept for 30 days.",
  query: Type.Object({
    conversation_id: Type.Optional(idOf("a conversation; only its runs")),
    ...pageQuery({ default: 20, max: 100 }),
  }),
  responses: { 200: { description: "A page of runs.", body: listOf(AiRun) } },
  errors: [422],
  example: { query: { page: 1, limit: 20 }, response: listOfOne("/ai/runs", run, 20) },
} as const satisfies RestOperation;

export const getAiRun = {
  id: "getAiRun",
  performs: "get-ai-run",
  method: "GET",
  path: "/ai/runs/{run}",
  tag: "AI",
  summary: "Get an AI run",
  description: "One run of the AI.",
  params: Type.Object({ run: idOf("the run") }),
  responses: { 200: { description: "The run.", body: dataOf(AiRun) } },
  errors: [404],
  example: { params: { run: ids.aiRun }, response: { data: run } },
} as const satisfies RestOperation;

const conversation = {
  type: "conversations" as const,
  id: ids.conversation,
  attributes: { is_resolved: false, contact_id: ids.vera, unread_messages: 1, created_at: moments.wrote },
};

const ofConversation = { params: Type.Object({ conversation_id: idOf("the conversation") }) };

export const takeOverConversation = {
  id: "takeOverConversation",
  performs: "take-over",
  method: "POST",
  path: "/conversations/{conversation_id}/take-over",
  tag: "Conversations",
  summary: "Take over from the AI",
  description: "The AI stops answering in this conversation. A repeated request changes nothing.",
  ...ofConversation,
  responses: { 200: { description: "The conversation.", body: messageAndDataOf(Conversation) } },
  errors: [404],
  example: {
    params: { conversation_id: ids.conversation },
    response: { message: "Conversation taken over.", data: conversation },
  },
} as const satisfies RestOperation;

export const returnToAssistant = {
  id: "returnToAssistant",
  performs: "return-to-assistant",
  method: "POST",
  path: "/conversations/{conversation_id}/return-to-assistant",
  tag: "Conversations",
  summary: "Return a conversation to the AI",
  description:
    "Ends a handoff, so that assistants can reply again. If the AI is set up for the conversation, it answers from now on, starting with what is unanswered. A repeated request changes nothing.",
  ...ofConversation,
  responses: { 200: { description: "The conversation.", body: messageAndDataOf(Conversation) } },
  errors: [404],
  example: {
    params: { conversation_id: ids.conversation },
    response: { message: "Conversation returned.", data: conversation },
  },
} as const satisfies RestOperation;
