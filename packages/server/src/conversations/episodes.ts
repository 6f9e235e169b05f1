import { openTime } from "@frontdesk/core/domain/business-hours";
import type { MessageType, SentVia } from "@frontdesk/core/domain/conversation";
import {
  type Episode,
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
 * in a conversation's own row (`OfEpisode`) is written by the operation, with the functions below.
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
  return isInConversation(ctx, event, facts.conversation) ? undefined : { facts, event };
}

/**
 * The most frequent events cost no statement: after the first reply, waiting and counts are in the conversation's row alone
 * until the episode is written for another reason, at the latest when it is resolved.
 */
function isInConversation(
  ctx: Context,
  event: EpisodeEvent,
  { waiting_since, first_reply_at }: ConversationRow,
): boolean {
  switch (event.name) {
    case "visitor-wrote":
      return first_reply_at !== null || (waiting_since !== null && waiting_since !== ctx.now);
    case "handoff-requested":
      return first_reply_at !== null;
    case "replied":
      return first_reply_at !== null && first_reply_at !== ctx.now;
    default:
      return false;
  }
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
    if (known === episode) continue;
    ctx.write(known ? updateEpisode : insertEpisode, episodeRow(of, withCounts(episode, changes)));
  }
}

/** The counts of the present or last episode are those of its conversation. */
function withCounts(episode: Episode, changes: readonly Change[]): Episode {
  const conversation = changes.at(-1)?.facts.conversation;
  if (conversation?.episode !== episode.number) return episode;
  return {
    ...episode,
    replies: conversation.episode_replies,
    assistantReplies: conversation.episode_assistant_replies,
    lastReplyBy: conversation.last_reply_by,
  };
}

/** By the widget's present business hours; without any, all hours are open. */
async function openTimeOf(ctx: Context, widgetId: string, from: number): Promise<number> {
  const widget = await ctx.db.first(widgetById, { team_id: ctx.teamId, id: widgetId });
  const { hours } = readWidgetSettings(widget?.settings ?? null);
  return hours ? openTime(hours, from, ctx.now) : Math.max(0, ctx.now - from);
}

type OfEpisode = Pick<
  ConversationRow,
  "episode" | "waiting_since" | "first_reply_at" | "episode_replies" | "episode_assistant_replies" | "last_reply_by"
>;

/** The columns of the first episode. */
export const FIRST_EPISODE: OfEpisode = {
  episode: 1,
  waiting_since: null,
  first_reply_at: null,
  episode_replies: 0,
  episode_assistant_replies: 0,
  last_reply_by: null,
};

/** The columns of the new episode in a conversation that is opened again. */
export const nextEpisode = ({ episode }: OfEpisode): OfEpisode => ({ ...FIRST_EPISODE, episode: episode + 1 });

/** The columns that change with a message that came in, or was sent, at `now`, whenever it was written. */
export function episodeAfterMessage(
  before: OfEpisode & Pick<ConversationRow, "is_resolved">,
  message: MessageRow,
  now: number,
): Partial<OfEpisode> {
  const { waiting_since, first_reply_at } = before;
  // Messages after the resolution belong to no episode.
  if (message.type !== ("message" satisfies MessageType) || before.is_resolved === 1) return {};
  if (message.agent_id === null) {
    return { waiting_since: waitingAfter(waiting_since, { name: "visitor-wrote", at: now }) };
  }
  const by = replierOf(message.sent_via as SentVia);
  if (!by) return {};
  const ended = { waiting_since: waitingAfter(waiting_since, { name: "replied", at: now }) };
  if (by === "assistant") return { ...ended, episode_assistant_replies: before.episode_assistant_replies + 1 };
  return {
    ...ended,
    first_reply_at: waiting_since === null ? first_reply_at : (first_reply_at ?? now),
    episode_replies: before.episode_replies + 1,
    last_reply_by: message.agent_id,
  };
}

/** `waiting_since` after a handoff was requested. */
export function waitingAfterHandoff({ waiting_since }: Pick<OfEpisode, "waiting_since">, now: number): number | null {
  return waitingAfter(waiting_since, { name: "handoff-requested", at: now });
}
