/** Asks questions of the AI as visitors do, and tells what became of each. */
import { setTimeout as wait } from "node:timers/promises";
import { type AiOutcome, defaultAiSettings } from "@frontdesk/core/domain/ai/ai-settings";
import { firstLineText } from "@frontdesk/core/domain/ai/handoff-texts";
import { widgetLanguages } from "@frontdesk/core/domain/widget-settings";
import { listAiRuns } from "@frontdesk/server/ai/runs/list-runs";
import type { ShownRun } from "@frontdesk/server/ai/runs/open-run";
import { PAUSE_MS } from "@frontdesk/server/ai/turn/queue-turn";
import { listMessages } from "@frontdesk/server/conversations/list-messages";
import { eventsAfter } from "@frontdesk/server/events/event-store";
import type { EventRow } from "@frontdesk/server/storage/tables";
import type { Question } from "./question.ts";
import type { EvalTeam, TemporaryApp } from "./temporary-app.ts";

/** How a turn ended. `chat`: a word without facts. `none`: it did not end. */
export type End = "answer" | "ask" | "chat" | "handoff" | "resolved" | "none";

export interface Asked extends Question {
  end: End;
  /** As the log of runs has it. */
  reason: string;
  /** What the visitor reads, without the first line that tells that it is an AI. */
  said: string;
  /** The names of each article that stands below the answer. */
  cited: (readonly string[])[];
  /** The addresses of those that have one. */
  pages: string[];
  /** In and out, all calls of the last turn together. */
  tokens: number;
  /** Of all turns of the conversation. */
  tokensSpent: number;
  milliseconds: number;
  /** The very requests to the model, JSON. */
  requests: string[];
  /** The names of what happened in the conversation. */
  events: string[];
}

/** A turn is handed over after a minute at the latest. */
const TURN_ENDS_MS = 90_000;
const POLL_MS = 15;

/**
 * Each question is asked by a new visitor. Some are asked at the same time: their messages are written, then the pause that the AI
 * waits for further ones is skipped.
 *
 * @param isOver asked between questions: whether to stop here
 */
export async function askQuestions(
  at: TemporaryApp,
  team: EvalTeam,
  questions: readonly Question[],
  { atOnce, onAsked, isOver }: { atOnce: number; onAsked(asked: Asked): void; isOver(): boolean },
): Promise<Asked[]> {
  const all: Asked[] = [];
  for (let from = 0; from < questions.length && !isOver(); from += atOnce) {
    const some = await askAtOnce(at, team, questions.slice(from, from + atOnce));
    all.push(...some);
    some.forEach(onAsked);
  }
  return all;
}

interface Chat {
  question: Question;
  conversationId: string;
  contactId: string;
  runs: ShownRun[];
}

async function askAtOnce(at: TemporaryApp, team: EvalTeam, questions: readonly Question[]): Promise<Asked[]> {
  const chats: Chat[] = questions.map((question) => ({ question, conversationId: "", contactId: "", runs: [] }));
  const longest = Math.max(...questions.map(({ history = [] }) => history.length));
  for (let step = 0; step <= longest; step += 1) {
    const writing = chats.flatMap((chat) => {
      const text = [...(chat.question.history ?? []), chat.question.question][step];
      return text !== undefined && aiSpeaksIn(chat) ? { chat, text } : [];
    });
    for (const { chat, text } of writing) await write(at, team, chat, text);
    at.clock.skip(PAUSE_MS);
    await Promise.all(writing.map(({ chat }) => turnEnds(at, team, chat)));
  }
  const after = team.lastEvent;
  const events = await at.storage.read((db) =>
    db.all(eventsAfter, { team_id: team.actor.teamId, after, limit: EVERY_EVENT }),
  );
  team.lastEvent = events.at(-1)?.number ?? after;
  return Promise.all(chats.map((chat) => outcomeOf(at, team, chat, events)));
}

/** After a handoff a person answers, and after a resolution there is nothing to answer. */
function aiSpeaksIn({ runs }: Chat): boolean {
  const outcome = runs.at(-1)?.row.outcome;
  return outcome === undefined || outcome === "answered" || outcome === "asked";
}

async function write(
  { app }: TemporaryApp,
  { widgetId, apiKey }: EvalTeam,
  chat: Chat,
  content: string,
): Promise<void> {
  const answer = await app.http.inject({
    method: "POST",
    url: "/api/v1/conversations",
    headers: { "x-api-key": apiKey },
    payload: { widget_id: widgetId, content, ...(chat.contactId !== "" && { contact_id: chat.contactId }) },
  });
  if (answer.statusCode !== 200) throw new Error(`A question was refused: ${answer.payload}`);
  const { conversation_id, chat_contact_id } = answer.json().data.attributes;
  chat.conversationId = conversation_id;
  chat.contactId = chat_contact_id;
}

async function turnEnds({ app }: TemporaryApp, { actor }: EvalTeam, chat: Chat): Promise<void> {
  const before = chat.runs.length;
  const until = performance.now() + TURN_ENDS_MS;
  while (performance.now() < until) {
    const page = { conversationId: chat.conversationId, page: 1, limit: 100 };
    const { rows } = await app.perform(actor, listAiRuns, page);
    chat.runs = rows.toReversed();
    if (chat.runs.length > before) return;
    await wait(POLL_MS);
  }
}

async function outcomeOf(
  at: TemporaryApp,
  { actor, namesOf }: EvalTeam,
  chat: Chat,
  events: readonly EventRow[],
): Promise<Asked> {
  const { conversationId, runs, question } = chat;
  const page = { page: 1, limit: 100, withNames: false, withDelivery: false, withEmail: false };
  const messages = await at.app.perform(actor, listMessages, { ...page, conversationId, search: undefined });
  const run = runs.at(-1);
  const said = messages.rows.find(({ message }) => message.id === run?.row.message_id)?.message.content;
  const sources = run ? (JSON.parse(run.row.sources) as { article_id: string; url: string | null }[]) : [];
  const tokensOf = ({ row }: ShownRun) => row.tokens_in + row.tokens_out;
  return {
    ...question,
    end: run ? endOf(run.row.outcome as AiOutcome, String(run.row.reason)) : "none",
    reason: run?.row.reason ?? "no end",
    said: withoutFirstLine(said ?? ""),
    cited: sources.map(({ article_id }) => namesOf.get(article_id) ?? [article_id]),
    pages: sources.flatMap(({ url }) => url ?? []),
    tokens: run ? tokensOf(run) : 0,
    tokensSpent: runs.reduce((sum, each) => sum + tokensOf(each), 0),
    milliseconds: run?.row.milliseconds ?? TURN_ENDS_MS,
    requests: runs.flatMap(({ calls }) => calls.map(({ request }) => request)),
    events: events.filter((event) => event.conversation_id === conversationId).map(({ name }) => name),
  };
}

/** What the product itself says before the first message of an AI is no word of the model. */
function withoutFirstLine(said: string): string {
  const firstLines = widgetLanguages.map((language) => firstLineText(language, defaultAiSettings.name));
  const line = firstLines.find((each) => said.startsWith(each));
  return line === undefined ? said : said.slice(line.length).trimStart();
}

const EVERY_EVENT = 1_000_000;

function endOf(outcome: AiOutcome, reason: string): End {
  switch (outcome) {
    case "answered":
      return reason === "small-talk" ? "chat" : "answer";
    case "asked":
      return "ask";
    case "handed-over":
      return "handoff";
    case "resolved":
      return "resolved";
    case "dropped":
      return "none";
    default:
      return outcome satisfies never;
  }
}
