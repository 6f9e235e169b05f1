/** The REST operations on the built-in AI (additions, section 3; docs/decisions/0082-settings-of-the-ai.md). */
import { type Static, type TSchema, Type } from "typebox";
import { aiBounds, aiCauses, aiStates, aiTimes, defaultAiSettings } from "../../domain/ai/ai-settings.ts";
import { connectionChecks, findingCodes } from "../../domain/ai/model-findings.ts";
import { channels } from "../../domain/channel.ts";
import { ids } from "../examples.ts";
import {
  allOr,
  CUSTOM_FIELD_NAME_MAX,
  CUSTOM_VALUE_MAX,
  choice,
  idOf,
  mapOf,
  nullable,
  text,
  URL_MAX,
  uuid,
} from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { dataOf, messageAndDataOf, resource } from "../resources.ts";

const { NAME_MAX, BASE_URL_MAX, MODEL_MAX, API_KEY_MAX, INSTRUCTIONS_MAX, WIDGETS_MAX, TOKENS_MIN, TOKENS_MAX } =
  aiBounds;
const { HANDOFF_RULES_MAX, HANDOFF_WORDS_MAX } = aiBounds;
const tokens = (of: string) =>
  nullable(
    Type.Integer({
      minimum: TOKENS_MIN,
      maximum: TOKENS_MAX,
      description: `The most tokens ${of}. Null is unlimited.`,
    }),
  );

const model = {
  base_url: nullable(
    text(BASE_URL_MAX, {
      description:
        "The address of an OpenAI-compatible server, without `/chat/completions`, like `https://api.openai.com/v1`. Null is the operator's server.",
    }),
  ),
  model: nullable(text(MODEL_MAX, { description: "The model, as its server names it." })),
  second_model: nullable(
    text(MODEL_MAX, { description: "Another model on the same server, asked where the first one fails." }),
  ),
  embedding_model: nullable(
    text(MODEL_MAX, {
      description:
        "A model on the same server that turns texts into vectors, to find articles by meaning. Null finds them by their words alone.",
    }),
  ),
};

const rules = <T extends TSchema>(item: T, description: string) =>
  Type.Array(item, { maxItems: HANDOFF_RULES_MAX, description });

const settings = {
  is_active: Type.Boolean({ description: "Whether it answers visitors." }),
  name: text(NAME_MAX, { minLength: 1, description: "What visitors read beside its messages." }),
  ...model,
  instructions: text(INSTRUCTIONS_MAX, { description: "Your own rules for its answers, in any language." }),
  widgets: allOr(idOf("the widget"), {
    description: "`all`, or the IDs of the widgets it answers on.",
    maxItems: WIDGETS_MAX,
  }),
  channels: Type.Array(choice(channels), {
    maxItems: channels.length,
    description:
      "The channels it answers on. So far that is `website` alone: conversations of other channels go to people.",
  }),
  when: choice(aiTimes, {
    description:
      "When it takes a new conversation: always, outside the business hours of the widget, or while no agent is online.",
  }),
  resolves: Type.Boolean({
    description: "Whether it resolves a conversation once the visitor has confirmed that the answer helped.",
  }),
  resolve_after_minutes: nullable(
    Type.Integer({
      minimum: aiBounds.RESOLVE_AFTER_MINUTES_MIN,
      maximum: aiBounds.RESOLVE_AFTER_MINUTES_MAX,
      description: "After how long without a reply to an answer with sources it resolves as well. Null is never.",
    }),
  ),
  tokens_a_day: tokens("a day, in UTC"),
  tokens_a_month: tokens("a month, in UTC"),
  redacts: Type.Boolean({
    description:
      "Whether email addresses, phone numbers, card numbers and IBANs are replaced before a text goes to the model.",
  }),
  handoff_rules: Type.Object(
    {
      words: rules(text(HANDOFF_WORDS_MAX, { minLength: 1 }), "Words and phrases in a visitor's message."),
      pages: rules(
        text(URL_MAX, { minLength: 1 }),
        "Pages the visitor is on, by how their addresses begin. A path like `/pricing` counts on every site.",
      ),
      tags: rules(idOf("the tag"), "The IDs of tags of the conversation."),
      custom_data: rules(
        Type.Object({
          name: text(CUSTOM_FIELD_NAME_MAX, { minLength: 1 }),
          value: text(CUSTOM_VALUE_MAX, { minLength: 1 }),
        }),
        "Values of the contact's custom data.",
      ),
    },
    { description: "Conversations that are always handed over to people. One that fits is enough." },
  ),
  streamed: Type.Boolean({
    description: "Whether visitors see an answer while it's written, sentence by sentence, each checked first.",
  }),
  ghost_text: Type.Boolean({
    description: "Whether agents see a suggested reply in the empty composer before they ask for one.",
  }),
  keeps_runs: Type.Boolean({ description: "Whether the requests and answers of the model are kept, for 30 days." }),
};

const key = Type.String({
  minLength: 1,
  maxLength: API_KEY_MAX,
  pattern: "^[\\x21-\\x7e]+$",
  description: "The key of the model server. Never shown again. Null removes it.",
});

export const Ai = resource(
  "ai",
  uuid,
  Type.Object({
    ...settings,
    api_key_set: Type.Boolean({ description: "Whether a key is stored." }),
    api_key_last: nullable(Type.String({ description: "Its last 4 characters. Null for short keys." })),
    agent_id: nullable(
      Type.String({ format: "uuid", description: "The agent its messages are from. Null until it is first set up." }),
    ),
    state: choice(aiStates, {
      description: "`away`: it is on, but can't answer now. New conversations go to people.",
    }),
    state_reason: nullable(
      Type.String({
        description:
          "What is wrong and what to do: why it is away, or that it answers with one of its two models alone.",
      }),
    ),
    state_cause: nullable(choice(aiCauses, { description: "The same for programs." })),
    operator_model: nullable(
      Type.String({ description: "The model that the server's operator offers to teams without a base URL." }),
    ),
    tokens_today: Type.Integer({ minimum: 0, description: "The tokens used since midnight, in UTC." }),
    tokens_this_month: Type.Integer({
      minimum: 0,
      description: "The tokens used since the first of the month, in UTC.",
    }),
  }),
);
export type Ai = Static<typeof Ai>;

export const AiFinding = Type.Object({
  check: choice(connectionChecks, { description: "What was checked." }),
  ok: Type.Boolean(),
  message: Type.String({ description: "What was found, and what to do." }),
  code: choice(findingCodes, { description: "The same for programs." }),
  values: mapOf(Type.Unsafe<string | number>({ type: ["string", "number"] }), {
    description: "The numbers and names in the message.",
  }),
});
export type AiFinding = Static<typeof AiFinding>;

const ai = {
  type: "ai",
  id: ids.team,
  attributes: {
    ...defaultAiSettings,
    handoff_rules: { words: ["refund"], pages: ["/careers"], tags: [], custom_data: [] },
    is_active: true,
    name: "Acme Assistant",
    base_url: "https://api.openai.com/v1",
    model: "gpt-5-mini",
    instructions: "Be brief. Don't recommend products of other shops.",
    widgets: "all",
    channels: ["website"],
    tokens_a_day: 500_000,
    tokens_a_month: null,
    api_key_set: true,
    api_key_last: "x4Qd",
    agent_id: ids.aiAgent,
    state: "ready",
    state_reason: null,
    state_cause: null,
    operator_model: null,
    tokens_today: 18_240,
    tokens_this_month: 402_911,
  },
} as const;

export const getAi = {
  id: "getAi",
  performs: "get-ai",
  method: "GET",
  path: "/ai",
  tag: "AI",
  summary: "Get the AI settings",
  description:
    "How the built-in AI is set up. It's off until you set it up; then the response has the default settings. The key is not included.",
  responses: { 200: { description: "The settings.", body: dataOf(Ai) } },
  errors: [],
  example: { response: { data: ai } },
} as const satisfies RestOperation;

export const updateAi = {
  id: "updateAi",
  performs: "update-ai",
  method: "PATCH",
  path: "/ai",
  tag: "AI",
  summary: "Change the AI settings",
  description:
    "Sets the fields you send and leaves the others unchanged. At least one field is required. The first change sets up the AI and creates the agent its messages are from. " +
    "It can only be switched on with a model: your own `base_url` and `model`, or the operator's. " +
    "A `base_url` must be https and public, except in networks that the server's operator lists in `AI_ALLOWED_NETWORKS`.",
  body: Type.Partial(Type.Object({ ...settings, api_key: nullable(key) }, { minProperties: 1 })),
  responses: { 200: { description: "The new settings.", body: messageAndDataOf(Ai) } },
  errors: [422],
  example: {
    body: {
      is_active: true,
      base_url: "https://api.openai.com/v1",
      model: "gpt-5-mini",
      api_key: "an-example-not-a-real-key",
      tokens_a_day: 500_000,
    },
    response: { message: "AI settings updated.", data: ai },
  },
} as const satisfies RestOperation;

export const testAi = {
  id: "testAi",
  performs: "test-ai",
  method: "POST",
  path: "/ai/test",
  tag: "AI",
  summary: "Test the AI's model",
  description:
    "Asks the model server a few short questions, and changes nothing. Fields you send replace the saved ones for this test. " +
    "The saved key is only sent to the saved server.",
  body: Type.Partial(Type.Object({ ...model, api_key: nullable(key) })),
  responses: { 200: { description: "What was found.", body: Type.Object({ data: Type.Array(AiFinding) }) } },
  errors: [422],
  example: {
    body: { base_url: "https://models.acme.example/v1", model: "gpt-5-mini" },
    response: {
      data: [
        { check: "reachable", ok: true, message: "The server answers.", code: "server-answers", values: {} },
        {
          ...{ check: "model", ok: true, message: "The model gpt-5-mini answers.", code: "model-answers" },
          values: { model: "gpt-5-mini" },
        },
      ],
    },
  },
} as const satisfies RestOperation;
