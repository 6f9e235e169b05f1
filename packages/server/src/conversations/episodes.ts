import { openTime } from "@frontdesk/core/domain/business-hours";
import type { MessageType, SentVia } from "@frontdesk/core/domain/conversation";
import {
  type EpisodeEvent,
  episodesAfter,
  measuredFrom,
  replierOf,
  waitingAfter,
} from "@frontdesk/core/domain/episode";
import { readWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import type { Context } from "../context.ts";
import type { EventFacts } from "../events/event.ts";
import type { ConversationRow, MessageRow } from "../storage/tables.ts";
import { widgetById } from "../widgets/widget-store.ts";
import { type EpisodeFacts, episodeEvent } from "./episode-events.ts";
import { episodeOf, episodeRow, insertEpisode, lastEpisodes, updateEpisode } from "./episode-store.ts";

/**
 * Updates the episodes of the conversations that a commit changes, in this same commit: the only code that writes them. What is
 * in a conversation's own row (`episode`, `waiting_since`) is written by the operation, with the functions below.
 *
 * @returns the open time that each event ended, ms, for the log; events that ended none are not in it
 */
export async function keepEpisodes(ctx: Context, facts: readonly EventFacts[]): Promise<Map<EventFacts, number>> {
  const openTimes = new Map<EventFacts, number>();
  const changes = facts.flatMap((each) => changeOf(ctx, each) ?? []);
  for (const ofOne of Map.groupBy(changes, ({ facts: { conversation } }) => conversation.id).values()) {
    await keepOne(ctx, ofOne, openTimes);
  }
  return openTimes;
}

interface Change {
  facts: EpisodeFacts;
  event: EpisodeEvent;
}

function changeOf(ctx: Context, facts: EventFacts): Change | undefined {
  const event = episodeEvent(facts, ctx.now);
  if (!event || !("conversation" in facts)) return undefined;
  const { waiting_since } = facts.conversation;
  // The most frequent event of all: a further message changes nothing, and costs no read.
  const waitsAlready = event.name === "visitor-wrote" && waiting_since !== null && waiting_since !== ctx.now;
  return waitsAlready ? undefined : { facts, event };
}

async function keepOne(ctx: Context, changes: readonly Change[], openTimes: Map<EventFacts, number>): Promise<void> {
  const [first] = changes;
  if (!first) return;
  const of = { team_id: ctx.teamId, conversation_id: first.facts.conversation.id };
  const isNew = first.facts.name === "conversation.created";
  const before = isNew ? [] : (await ctx.db.all(lastEpisodes, of)).map(episodeOf).reverse();
  let episodes = before;
  for (const { facts, event } of changes) {
    const from = measuredFrom(episodes, event);
    const openMs = from === undefined ? undefined : await openTimeOf(ctx, facts.widget.id, from);
    if (openMs !== undefined) openTimes.set(facts, openMs);
    episodes = episodesAfter(episodes, openMs === undefined ? event : ({ ...event, openMs } as EpisodeEvent));
  }
  for (const episode of episodes) {
    const known = before.find(({ number }) => number === episode.number);
    if (known !== episode) ctx.write(known ? updateEpisode : insertEpisode, episodeRow(of, episode));
  }
}

/** By the widget's present business hours; without any, all hours are open. */
async function openTimeOf(ctx: Context, widgetId: string, from: number): Promise<number> {
  const widget = await ctx.db.first(widgetById, { team_id: ctx.teamId, id: widgetId });
  const { hours } = readWidgetSettings(widget?.settings ?? null);
  return hours ? openTime(hours, from, ctx.now) : Math.max(0, ctx.now - from);
}

type OfConversation = Pick<ConversationRow, "episode" | "waiting_since">;

/** The columns of the new episode in a conversation that is opened again. */
export function nextEpisode(before: OfConversation): OfConversation {
  return { episode: before.episode + 1, waiting_since: null };
}

/** `waiting_since` after a message. */
export function waitingAfterMessage({ waiting_since }: OfConversation, message: MessageRow): number | null {
  if (message.type !== ("message" satisfies MessageType)) return waiting_since;
  const at = message.created_at;
  if (message.agent_id === null) return waitingAfter(waiting_since, { name: "visitor-wrote", at });
  const by = replierOf(message.sent_via as SentVia);
  return by ? waitingAfter(waiting_since, { name: "replied", at }) : waiting_since;
}

/** `waiting_since` after a handoff was requested. */
export function waitingAfterHandoff({ waiting_since }: OfConversation, now: number): number | null {
  return waitingAfter(waiting_since, { name: "handoff-requested", at: now });
}
