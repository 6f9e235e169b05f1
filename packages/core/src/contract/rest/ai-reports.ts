/** The REST operation on how conversations with the built-in AI ended (docs/decisions/0083-ai-outcomes.md). */
import { type Static, Type } from "typebox";
import { handoffParties } from "../../domain/ai/ai-episode.ts";
import { ids } from "../examples.ts";
import { choice, nullable, timestamp, uuid } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { dataOf, resource } from "../resources.ts";

/** The longest time that one report is about. */
export const REPORT_DAYS_MAX = 366;
/** The time that it is about when `from` is left out. */
export const REPORT_DAYS = 30;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const milliseconds = nullable(Type.Integer({ minimum: 0 }));

const figures = {
  conversations: count(
    "The conversations that the AI has answered in. Each is in exactly one of the six counts below.",
  ),
  confirmed: count("The visitor said that it helped, and the AI resolved it."),
  assumed: count("Resolved after the visitor's silence, with an answer with sources as the last word."),
  handed_over: count("Handed over to a person, or a person or program stepped in."),
  abandoned: count(
    "The AI had the last word, without an answer with sources, and the visitor has not come back in 24 hours.",
  ),
  reopened: count("Was confirmed or assumed, and the visitor wrote again within 72 hours."),
  open: count("Still going on."),
  answers: count("The messages of the AI, without those that hand over."),
  tokens_in: count("The tokens that the model has read."),
  tokens_out: count("The tokens that the model has written."),
};

export const AiReport = resource(
  "ai-reports",
  uuid,
  Type.Object({
    from: timestamp,
    to: timestamp,
    ...figures,
    answer_time: Type.Object(
      { count: count("The conversations with an answer."), p50_ms: milliseconds, p95_ms: milliseconds },
      { description: "From the question to the first answer, to a tenth of a second. Null if there is none." },
    ),
    handoffs: Type.Array(
      Type.Object({
        reason: Type.String(),
        by: choice(handoffParties, { description: "Who wanted it." }),
        conversations: Type.Integer({ minimum: 1 }),
      }),
      { description: "Why conversations were handed over, the most frequent reason first." },
    ),
    days: Type.Array(Type.Object({ date: Type.String({ format: "date" }), ...figures }), {
      description: "Each day from `from` to `to`, in UTC: the conversations that the AI began to answer in.",
    }),
  }),
);
export type AiReport = Static<typeof AiReport>;
export type AiFigures = Omit<AiReport["attributes"]["days"][number], "date">;

const day = {
  ...{ conversations: 25, confirmed: 9, assumed: 6, handed_over: 5, abandoned: 2, reopened: 1, open: 2 },
  ...{ answers: 41, tokens_in: 61_300, tokens_out: 2_140 },
};

export const getAiReport = {
  id: "getAiReport",
  performs: "get-ai-report",
  method: "GET",
  path: "/ai/reports",
  tag: "AI",
  summary: "Get the AI's results",
  description:
    "How the conversations ended that the AI began to answer in between `from` and `to`. Those of a simulator (`is_simulator`) are left out. A conversation that is reopened counts again once the AI answers in it again.",
  query: Type.Object({
    from: Type.Optional(
      Type.String({
        format: "date-time",
        description: `The beginning, ISO 8601. ${REPORT_DAYS} days before \`to\` by default.`,
      }),
    ),
    to: Type.Optional(
      Type.String({
        format: "date-time",
        description: `The end, not included, at most ${REPORT_DAYS_MAX} days later. Now by default.`,
      }),
    ),
  }),
  responses: { 200: { description: "The results.", body: dataOf(AiReport) } },
  errors: [422],
  example: {
    query: { from: "2026-11-20T00:00:00Z", to: "2026-11-21T00:00:00Z" },
    response: {
      data: {
        type: "ai-reports",
        id: ids.team,
        attributes: {
          from: "2026-11-20T00:00:00.000Z",
          to: "2026-11-21T00:00:00.000Z",
          ...day,
          answer_time: { count: 22, p50_ms: 3_400, p95_ms: 9_100 },
          handoffs: [
            { reason: "asked-for-human", by: "visitor", conversations: 3 },
            { reason: "nothing-found", by: "ai", conversations: 1 },
            { reason: "replied", by: "team", conversations: 1 },
          ],
          days: [{ date: "2026-11-20", ...day }],
        },
      },
    },
  },
} as const satisfies RestOperation;
