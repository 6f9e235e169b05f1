import { type AiCheckFailure, type AiRunReason, aiCaps, type ModelAct } from "@frontdesk/core/domain/ai/ai-settings";
import { whyNotAgain } from "@frontdesk/core/domain/ai/ai-state";
import { begunAnswer } from "@frontdesk/core/domain/ai/begun-answer";
import { checkAnswer, type Proof } from "@frontdesk/core/domain/ai/check-answer";
import { readConfirmation } from "@frontdesk/core/domain/ai/confirmation";
import { estimateTokens } from "@frontdesk/core/domain/ai/estimate-tokens";
import { CONVERSATION_CHARACTERS_MAX } from "@frontdesk/core/domain/ai/fenced-data";
import { hoursInWords } from "@frontdesk/core/domain/ai/hours-in-words";
import { buildPrompt, type ModelMessage, type PromptMessage } from "@frontdesk/core/domain/ai/model-prompt";
import { type ModelAnswer, readModelAnswer } from "@frontdesk/core/domain/ai/reads-answer";
import { type DetailRedaction, redactionIf } from "@frontdesk/core/domain/ai/redact-details";
import { isUpset, isUpsetAgain } from "@frontdesk/core/domain/ai/upset";
import type { SystemActor } from "../../access/actor.ts";
import type { Runtime } from "../../context.ts";
import type { Perform } from "../../perform.ts";
import { redacted } from "../conversation-for-model.ts";
import { isAway } from "../model/breaker.ts";
import type { ChatOptions, ModelClients } from "../model/model-client.ts";
import { costOf, ModelFailure, type ModelFailureKind } from "../model/model-errors.ts";
import { connectionTo, faultOf, type ModelChoice } from "../model/second-model.ts";
import { visitorTexts } from "./decide-without-model.ts";
import type { FindForTurn } from "./find-for-turn.ts";
import type { LiveDraft } from "./live-draft.ts";
import { maySearch, searchAgain } from "./search-again.ts";
import { reserveTokens, settleCall } from "./spend-tokens.ts";
import {
  type AiSource,
  endInHandoff,
  type InformedTurn,
  type LoggedCall,
  type Passage,
  type TurnEnd,
  type TurnLog,
} from "./turn.ts";

/** What a turn needs of the process. */
export interface AskServices {
  perform: Perform;
  clients: Pick<ModelClients, "clientFor">;
  runtime: Pick<Runtime, "now" | "random">;
  find: FindForTurn;
}

/** Why the model is asked again, and what for. */
type Failure = AiCheckFailure | "unreadable";
type Answered = { end: TurnEnd } | { failure: Failure };

/** What a call has led to. */
type Called = { end: TurnEnd } | { text: string; model: ModelChoice } | { failed: ModelFailure; model: ModelChoice };

/**
 * Asks the model, at most three times: what it wrote before could not be read, or may not be said; it wanted to search the articles
 * in other words (docs/decisions/0086-second-search-and-second-model.md); or it failed, and the second model is asked, once. Nothing
 * of it leaves this process before `end-turn.ts` but what its draft shows.
 *
 * @param draft undefined: nothing is shown before its end
 * @param log every call and search is added to it
 * @throws ModelFailure `aborted` when the signal ends it
 */
export async function askModel(
  services: AskServices,
  { teamId, signal, draft }: { teamId: string; signal: AbortSignal; draft: LiveDraft | undefined },
  gathered: InformedTurn,
  log: TurnLog,
): Promise<TurnEnd> {
  const { runtime, find } = services;
  const secrets = { canary: word(runtime), fence: word(runtime) };
  const redaction = redactionIf(gathered.ai.settings.redacts);
  let turn = gathered;
  let failure: Failure | null = null;
  let model: ModelChoice = "first";
  let reason: AiRunReason = "unreadable";
  for (let call = 1; call <= aiCaps.CALLS_A_TURN; call += 1) {
    const isOffered = maySearch(turn, call);
    const asked = { now: runtime.now(), failure, isOffered, redaction };
    const messages = promptOf(turn, secrets, asked);
    const of = turn;
    const begun = (soFar: string) => begunIn(of, secrets.canary, redaction.restore(soFar));
    const onSoFar = draft && ((soFar: string) => draft.wrote(soFar, begun));
    const called: Called = await callModel(services, { teamId, signal, model, onSoFar }, messages, { turn, log });
    if ("end" in called) return called.end;
    model = called.model;
    if ("failed" in called) {
      draft?.withdraw();
      reason = reasonOf[called.failed.kind];
      if (model === "second" || !secondMayHelp(turn, called.failed, runtime.now())) break;
      model = "second";
      continue;
    }
    const written = redaction.restore(called.text);
    const search = isOffered ? searchOf(written) : undefined;
    if (search !== undefined) {
      turn = await searchAgain(find, turn, search, log.searches);
      failure = null;
      reason = "nothing-found";
      continue;
    }
    const answered = readAnswer(turn, secrets.canary, written);
    if ("end" in answered) return answered.end;
    draft?.withdraw();
    failure = answered.failure;
    reason = failure;
    const last = log.calls.at(-1);
    if (last) last.check = failure;
  }
  return endInHandoff(reason);
}

/** Letters and digits that no text of anyone else contains. */
const word = ({ random }: Pick<Runtime, "random">): string => random(9).toString("hex");

function promptOf(
  { ai, messages, passages, languages, searched, visitor, hours }: InformedTurn,
  secrets: { canary: string; fence: string },
  asked: { now: number; failure: Failure | null; isOffered: boolean; redaction: DetailRedaction },
): ModelMessage[] {
  const { now, failure, isOffered, redaction } = asked;
  const conversation = redacted(messages, redaction);
  const shown = (text: string | null) => text && redaction.redact(text);
  const { name, instructions } = ai.settings;
  return buildPrompt({
    ...{ name, instructions, ...secrets, language: visitor.language, now, timezone: hours?.timezone ?? "UTC" },
    ...{ hours: hoursInWords(hours), visitor: { name: shown(visitor.name), page: shown(visitor.page) } },
    ...{ passages, conversation, failure, search: isOffered ? { languages } : null },
    searched: searched.map(({ query, found }) => ({ query: redaction.redact(query), found })),
  });
}

/**
 * What the model wrote, or why it has not; or the end of the turn, when it can't be asked.
 *
 * @throws ModelFailure `aborted`
 */
async function callModel(
  { perform, clients }: AskServices,
  {
    teamId,
    model: wanted,
    ...options
  }: { teamId: string; signal: AbortSignal; model: ModelChoice; onSoFar: ChatOptions["onSoFar"] },
  messages: readonly ModelMessage[],
  { turn, log }: { turn: InformedTurn; log: TurnLog },
): Promise<Called> {
  const system: SystemActor = { kind: "system", teamId };
  const asked = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const tokens = asked + aiCaps.TOKENS_OUT_A_CALL;
  if (turn.state.tokens + log.tokensIn + log.tokensOut + tokens > aiCaps.TOKENS_AN_EPISODE) {
    return { end: endInHandoff("cap-conversation") };
  }
  const reserved = await perform(system, reserveTokens, { tokens, model: wanted });
  if ("refused" in reserved) return { end: endInHandoff(reserved.refused) };
  const { day, model } = reserved;
  const connection = connectionTo(turn.ai.connection, model);
  const savedAt = turn.ai.row.updated_at;
  const settle = (spent: number, failed?: ModelFailure | "unknown") =>
    perform(system, settleCall, { day, reserved: reserved.tokens, tokens: spent, model, failed, savedAt });
  try {
    const end = await clients.clientFor(connection).chat({ messages, maxTokens: aiCaps.TOKENS_OUT_A_CALL }, options);
    log.tokensIn += end.tokensIn;
    log.tokensOut += end.tokensOut;
    const { request, text, milliseconds } = end;
    log.calls.push({ model: connection.model, request, response: text, status: 200, milliseconds, check: null });
    await settle(end.tokensIn + end.tokensOut);
    return { text, model };
  } catch (error) {
    if (!(error instanceof ModelFailure)) {
      await settle(asked, "unknown");
      throw error;
    }
    const { tokensIn, tokensOut } = costOf(error, asked);
    log.tokensIn += tokensIn;
    log.tokensOut += tokensOut;
    log.calls.push(failedCall(connection.model, error));
    await settle(tokensIn + tokensOut, error);
    if (error.kind === "aborted") throw error;
    return { failed: error, model };
  }
}

/** Another model of the same server, unless that is known to fail as well. */
function secondMayHelp({ ai }: InformedTurn, failure: ModelFailure, now: number): boolean {
  const { second } = ai.breakers;
  return second !== undefined && !isAway(second, now) && faultOf(failure) === "model";
}

function failedCall(model: string, failure: ModelFailure): LoggedCall {
  const { request, response, message, status, kind } = failure;
  const check = kind === "aborted" ? null : reasonOf[kind];
  return { model, request, response: response || message, status, milliseconds: 0, check };
}

const reasonOf: Record<ModelFailureKind, AiRunReason> = {
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
  // Ended by something newer, or at the end of the turn's time.
  aborted: "model-timeout",
};

/** What the model wants to search for; undefined when it wants something else. */
function searchOf(written: string): string | undefined {
  const answer = readModelAnswer(written);
  return answer?.act === "search" ? answer.text : undefined;
}

/** What was written at a time when no search was offered, or isn't one. */
function readAnswer(turn: InformedTurn, canary: string, written: string): Answered {
  const answer = readModelAnswer(written);
  if (!answer) return { failure: "unreadable" };
  const { act, text } = answer;
  const isUpset = isUpsetOnlyToModel(turn, answer);
  if (isUpset && isUpsetAgain(textsOf(turn), { before: turn.state.upsets, now: true })) {
    return { end: endInHandoff("upset") };
  }
  switch (act) {
    case "handoff":
      return { end: endInHandoff(turn.passages.length === 0 ? "nothing-found" : "model-handoff") };
    case "search":
      // It has searched to the end.
      return turn.searched.length > 0 ? { end: endInHandoff("nothing-found") } : { failure: "unreadable" };
    case "done":
      return done(turn, canary, text);
    case "answer":
    case "ask":
    case "chat":
      return said(turn, canary, { act, text, isUpset });
    default:
      return act satisfies never;
  }
}

/**
 * The model takes the visitor to be content. After no answer there is nothing to be content with; and the model alone, which may have
 * been told so by an article, resolves nothing: the visitor has to have said thanks.
 */
function done(gathered: InformedTurn, canary: string, text: string): Answered {
  const { ai, state, burst } = gathered;
  const checked = text === "" ? undefined : check(gathered, canary, { act: "chat", text });
  const word = checked?.ok ? checked.text : null;
  const isThanked = ["helped", "thanks"].includes(readConfirmation(burst.map((each) => each.text).join("\n")) ?? "");
  if (ai.settings.resolves && state.lastKind === "answer" && isThanked) {
    return { end: { does: "resolve", text: word, reason: "confirmed" } };
  }
  if (word === null) return { failure: "unreadable" };
  return { end: { does: "say", act: "chat", text: word, sources: [], reason: "small-talk" } };
}

/** Where a rule of ours has seen it as well, it counts once. */
const isUpsetOnlyToModel = ({ burst }: InformedTurn, { isUpset: isMarked }: ModelAnswer): boolean =>
  isMarked === true && !burst.some(({ text }) => isUpset(text));

const textsOf = (gathered: InformedTurn) => ({
  episode: visitorTexts(gathered),
  burst: gathered.burst.map(({ text }) => text),
});

interface Sayable {
  act: Extract<ModelAct, "answer" | "ask" | "chat">;
  text: string;
}

function said(gathered: InformedTurn, canary: string, answer: Sayable & { isUpset: boolean }): Answered {
  const checked = check(gathered, canary, answer);
  if (!checked.ok) return { failure: checked.reason };
  const { act, isUpset } = answer;
  const { text } = checked;
  const again = whyNotAgain(gathered.state, { act, text }, gathered.lastAnswer);
  if (again) return { end: endInHandoff(again) };
  const reason = act === "answer" ? "grounded" : act === "ask" ? "question" : "small-talk";
  const sources = sourcesOf(gathered.passages, checked.cited);
  return { end: { does: "say", act, text, sources, reason, isUpset } };
}

const check = (gathered: InformedTurn, canary: string, { act, text }: Sayable) =>
  checkAnswer({ ...proofOf(gathered, canary), act, text });

/** What its visitor may be shown of an answer that is not whole; null while there is nothing. */
function begunIn(gathered: InformedTurn, canary: string, soFar: string): string | null {
  const text = begunAnswer(soFar, proofOf(gathered, canary));
  // It may become the last answer again, which is not said.
  if (text === null || gathered.lastAnswer?.includes(text)) return null;
  return `${gathered.greeting}${text}`;
}

function proofOf({ passages, messages, hours, sites, visitor }: InformedTurn, canary: string): Proof {
  const saidBy = (author: PromptMessage["author"]) =>
    messages
      .flatMap((each) => (each.author === author ? each.text : []))
      .join("\n")
      // The model was shown no more of it, and figures are looked for in all of it.
      .slice(-CONVERSATION_CHARACTERS_MAX);
  return {
    ...{ passages, sites, canary, language: visitor.language, hours: hoursInWords(hours) },
    // What the AI itself has said proves nothing.
    teamText: saidBy("agent"),
    visitorText: saidBy("visitor"),
  };
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
