import { type AiCheckFailure, type AiRunReason, aiCaps } from "@frontdesk/core/domain/ai/ai-settings";
import { whyNotAgain } from "@frontdesk/core/domain/ai/ai-state";
import { checkAnswer } from "@frontdesk/core/domain/ai/check-answer";
import { estimateTokens } from "@frontdesk/core/domain/ai/estimate-tokens";
import { hoursInWords } from "@frontdesk/core/domain/ai/hours-in-words";
import { buildPrompt, type ModelMessage, type PromptMessage } from "@frontdesk/core/domain/ai/model-prompt";
import { type ModelAnswer, readModelAnswer } from "@frontdesk/core/domain/ai/reads-answer";
import { type DetailRedaction, detailRedaction } from "@frontdesk/core/domain/ai/redact-details";
import type { SystemActor } from "../../access/actor.ts";
import type { Runtime } from "../../context.ts";
import type { Perform } from "../../perform.ts";
import type { ModelClient, ModelClients } from "../model/model-client.ts";
import { ModelFailure, type ModelFailureKind } from "../model/model-errors.ts";
import { reserveTokens, settleCall } from "./spend-tokens.ts";
import type { AiSource, InformedTurn, LoggedCall, Passage, TurnEnd, TurnLog } from "./turn.ts";

/** What a turn needs of the process. */
export interface AskServices {
  perform: Perform;
  clients: Pick<ModelClients, "clientFor">;
  runtime: Pick<Runtime, "now" | "random">;
}

/** Why the model is asked again, and what for. */
type Failure = AiCheckFailure | "unreadable";
type Answered = { end: TurnEnd } | { failure: Failure };

const handOver = (reason: AiRunReason): TurnEnd => ({ does: "hand-over", reason });

/**
 * Asks the model, at most three times: what it wrote before could not be read, or may not be said. Nothing of it leaves this
 * process before `end-turn.ts`.
 *
 * @param log every call is added to it
 * @throws ModelFailure `aborted` when the signal ends it
 */
export async function askModel(
  services: AskServices,
  { teamId, signal }: { teamId: string; signal: AbortSignal },
  gathered: InformedTurn,
  log: TurnLog,
): Promise<TurnEnd> {
  const { runtime, clients } = services;
  const client = clients.clientFor(gathered.ai.connection);
  const secrets = { canary: word(runtime), fence: word(runtime) };
  const redaction = gathered.ai.settings.redacts ? detailRedaction() : AS_IT_IS;
  let failure: Failure | null = null;
  for (let call = 1; call <= aiCaps.CALLS_A_TURN; call += 1) {
    const messages = promptOf(gathered, secrets, { now: runtime.now(), failure, redact: redaction.redact });
    const written = await callModel(services, { teamId, signal, client }, messages, { gathered, log });
    if (typeof written !== "string") return written;
    const answered = readAnswer(gathered, secrets.canary, redaction.restore(written));
    if ("end" in answered) return answered.end;
    failure = answered.failure;
    const last = log.calls.at(-1);
    if (last) last.check = failure;
  }
  return handOver(failure ?? "unreadable");
}

const AS_IT_IS: DetailRedaction = { redact: (text) => text, restore: (text) => text };

/** Letters and digits that no text of anyone else contains. */
const word = ({ random }: Pick<Runtime, "random">): string => random(9).toString("hex");

function promptOf(
  { ai, messages, passages, visitor, hours }: InformedTurn,
  secrets: { canary: string; fence: string },
  { now, failure, redact }: { now: number; failure: Failure | null; redact(text: string): string },
): ModelMessage[] {
  const conversation = messages.map((each) => ({ ...each, text: redact(each.text) }));
  const { name, instructions } = ai.settings;
  return buildPrompt({
    ...{ name, instructions, ...secrets, language: visitor.language, now, timezone: hours?.timezone ?? "UTC" },
    ...{ hours: hoursInWords(hours), visitor: { name: visitor.name, page: visitor.page } },
    ...{ passages, conversation, failure },
  });
}

/** What the model wrote; or the end of the turn, when it can't be asked or doesn't answer. */
async function callModel(
  { perform }: AskServices,
  { teamId, signal, client }: { teamId: string; signal: AbortSignal; client: ModelClient },
  messages: readonly ModelMessage[],
  { gathered, log }: { gathered: InformedTurn; log: TurnLog },
): Promise<string | TurnEnd> {
  const system: SystemActor = { kind: "system", teamId };
  const asked = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const tokens = asked + aiCaps.TOKENS_OUT_A_CALL;
  if (gathered.state.tokens + log.tokensIn + log.tokensOut + tokens > aiCaps.TOKENS_AN_EPISODE) {
    return handOver("cap-conversation");
  }
  const reserved = await perform(system, reserveTokens, { tokens });
  if ("refused" in reserved) return handOver(reserved.refused);
  const settle = (spent: number, failed?: ModelFailureKind) =>
    perform(system, settleCall, { day: reserved.day, reserved: reserved.tokens, tokens: spent, failed });
  try {
    const end = await client.chat({ messages, maxTokens: aiCaps.TOKENS_OUT_A_CALL }, { signal });
    log.tokensIn += end.tokensIn;
    log.tokensOut += end.tokensOut;
    const { request, text: response, milliseconds } = end;
    log.calls.push({ request, response, status: 200, milliseconds, check: null });
    await settle(end.tokensIn + end.tokensOut);
    return end.text;
  } catch (error) {
    if (!(error instanceof ModelFailure)) {
      await settle(0, "aborted");
      throw error;
    }
    // Whether it has cost anything is not known: a server that was asked has read the prompt.
    const spent = error.status === null && error.kind !== "aborted" ? 0 : asked;
    log.tokensIn += spent;
    log.calls.push(failedCall(error));
    await settle(spent, error.kind);
    if (error.kind === "aborted") throw error;
    return handOver(reasonOf[error.kind]);
  }
}

const failedCall = ({ request, response, message, status, kind }: ModelFailure): LoggedCall => ({
  ...{ request, response: response || message, status, milliseconds: 0 },
  check: kind === "aborted" ? null : reasonOf[kind],
});

const reasonOf: Record<Exclude<ModelFailureKind, "aborted">, AiRunReason> = {
  blocked: "model-unreachable",
  unreachable: "model-unreachable",
  refused: "model-refused",
  rejected: "model-refused",
  busy: "model-busy",
  failing: "model-failing",
  timeout: "model-timeout",
  cut: "model-cut",
  filtered: "model-filtered",
  length: "model-length",
  empty: "model-garbage",
  garbage: "model-garbage",
};

function readAnswer(gathered: InformedTurn, canary: string, written: string): Answered {
  const answer = readModelAnswer(written);
  if (!answer) return { failure: "unreadable" };
  const { act, text } = answer;
  switch (act) {
    case "handoff":
      return { end: handOver(gathered.passages.length === 0 ? "nothing-found" : "model-handoff") };
    case "done":
      return done(gathered, canary, text);
    case "answer":
    case "ask":
    case "chat":
      return said(gathered, canary, { act, text });
    default:
      return act satisfies never;
  }
}

/** The model takes the visitor to be content. After no answer there is nothing to be content with. */
function done(gathered: InformedTurn, canary: string, text: string): Answered {
  const { ai, state } = gathered;
  const checked = text === "" ? undefined : check(gathered, canary, { act: "chat", text });
  const word = checked?.ok ? checked.text : null;
  if (ai.settings.resolves && state.lastKind === "answer" && !gathered.isDenied) {
    return { end: { does: "resolve", text: word, reason: "confirmed" } };
  }
  if (word === null) return { failure: "unreadable" };
  return { end: { does: "say", act: "chat", text: word, sources: [], reason: "small-talk" } };
}

type Sayable = Omit<ModelAnswer, "act"> & { act: "answer" | "ask" | "chat" };

function said(gathered: InformedTurn, canary: string, answer: Sayable): Answered {
  const checked = check(gathered, canary, answer);
  if (!checked.ok) return { failure: checked.reason };
  const { act } = answer;
  const { text } = checked;
  const again = whyNotAgain(gathered.state, { act, text }, gathered.lastAnswer);
  if (again) return { end: handOver(again) };
  const reason = act === "answer" ? "grounded" : act === "ask" ? "question" : "small-talk";
  return { end: { does: "say", act, text, sources: sourcesOf(gathered.passages, checked.cited), reason } };
}

function check({ passages, messages, hours, sites, visitor }: InformedTurn, canary: string, { act, text }: Sayable) {
  const saidBy = (author: PromptMessage["author"]) =>
    messages.flatMap((each) => (each.author === author ? each.text : [])).join("\n");
  return checkAnswer({
    ...{ act, text, passages, sites, canary, language: visitor.language, hours: hoursInWords(hours) },
    // What the AI itself has said proves nothing.
    teamText: saidBy("agent"),
    visitorText: saidBy("visitor"),
  });
}

/** Each article once. */
function sourcesOf(passages: readonly Passage[], cited: readonly number[]): AiSource[] {
  const articles = new Map<string, AiSource>();
  for (const number of cited) {
    const passage = passages[number - 1];
    if (!passage) continue;
    const { articleId, title, address } = passage;
    articles.set(articleId, { article_id: articleId, title, url: address });
  }
  return [...articles.values()];
}
