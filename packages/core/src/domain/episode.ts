/**
 * An episode is an open stretch of a conversation, from what opens it to its resolution, numbered 1, 2, 3 … Measures are
 * taken by episode, since a conversation can be reopened for ever.
 *
 * ```
 *                 a visitor writes, a human is asked for
 *          .--------------------------------------------.
 *          |                                            v
 *  opened, nothing waits                         the visitor waits (`waitingSince`)
 *          ^  |                                         |  |
 *          |  |      a human or an assistant replies    |  |
 *          '--+-----------------------------------------'  |
 *             '--------------> resolved <------------------'     --reopened--> the next episode
 * ```
 * Nothing else begins or ends a waiting: no note, system line, automatic reply, reading, assigning or snooze. Messages after
 * the resolution belong to no episode, except for the visitor's rating. docs/decisions/0039-actors-causes-episodes.md
 */
import type { SentVia } from "./conversation.ts";

export type OpenedBy = "visitor" | "agent" | "program";

/** All times are ms since the epoch, all durations ms. */
export interface Episode {
  number: number;
  openedAt: number;
  /** Null when unknown: it was open before episodes were stored. */
  openedBy: OpenedBy | null;
  /** The contact, the agent, or the automation; null for the service itself. */
  openedById: string | null;
  /** Since when the visitor waits for an answer; null when none is due. */
  waitingSince: number | null;
  /** The first human reply that ended a waiting: when, by whom, and how long the waiting was, in total and in open time. */
  firstReplyAt: number | null;
  firstReplyBy: string | null;
  firstReplyMs: number | null;
  firstReplyOpenMs: number | null;
  /** How many human replies there were. */
  replies: number;
  assistantReplies: number;
  /** The agent of the last human reply. */
  lastReplyBy: string | null;
  /** Since when it is snoozed; null when it is not. */
  snoozedSince: number | null;
  /** How long it was snoozed in total. */
  snoozedMs: number;
  resolvedAt: number | null;
  /** JSON: who resolved it, in the form of the conversation. */
  resolvedBy: string | null;
  /** From its opening to its resolution, in total and in open time. */
  resolutionMs: number | null;
  resolutionOpenMs: number | null;
  rating: number | null;
  ratedAt: number | null;
}

/** The events of a conversation's log that change its episodes. */
export type EpisodeEvent =
  | { name: "opened"; at: number; by: OpenedBy; byId: string | null }
  | { name: "visitor-wrote"; at: number }
  | { name: "handoff-requested"; at: number }
  /** `openMs`: the open time of the waiting that it ended, as it was measured then; null when it ended none. */
  | { name: "replied"; at: number; by: "human" | "assistant"; agentId: string; openMs: number | null }
  | { name: "snoozed"; at: number }
  | { name: "unsnoozed"; at: number }
  /** `openMs`: the open time since the opening. */
  | { name: "resolved"; at: number; by: string; openMs: number | null }
  | { name: "rated"; at: number; rating: number };

/** Who replied with a message of the team, by the way it was sent; undefined for an automatic one, which is no answer. */
export function replierOf(sentVia: SentVia): "human" | "assistant" | undefined {
  switch (sentVia) {
    case "dashboard":
    case "api":
    // Typed elsewhere in the account, by a person.
    case "channel":
      return "human";
    case "assistant":
    case "ai":
      return "assistant";
    case "automation":
    case "widget":
      return undefined;
    default:
      return sentVia satisfies never;
  }
}

/** The episodes of a conversation, from its whole log. */
export function fold(log: readonly EpisodeEvent[]): Episode[] {
  return log.reduce(episodesAfter, []);
}

/**
 * The episodes after an event. The last two are enough: an event changes the last one, and a rating the last resolved one.
 *
 * @param episodes in the order of their numbers; not changed
 */
export function episodesAfter(episodes: readonly Episode[], event: EpisodeEvent): Episode[] {
  const last = episodes.at(-1);
  if (event.name === "opened") return [...episodes, opened((last?.number ?? 0) + 1, event)];
  const changed =
    event.name === "rated" ? episodes.findLast(({ resolvedAt }) => resolvedAt !== null) : openOne(episodes);
  return changed ? episodes.map((each) => (each === changed ? episodeAfter(each, event) : each)) : [...episodes];
}

/** `waitingSince` after an event. */
export function waitingAfter(since: number | null, event: Pick<EpisodeEvent, "name" | "at">): number | null {
  switch (event.name) {
    case "visitor-wrote":
    case "handoff-requested":
      return since ?? event.at;
    case "opened":
    case "replied":
    case "resolved":
      return null;
    case "snoozed":
    case "unsnoozed":
    case "rated":
      return since;
    default:
      return event.name satisfies never;
  }
}

/** The time from which the open time of an event is measured; undefined for an event that ends nothing measured. */
export function measuredFrom(episodes: readonly Episode[], event: EpisodeEvent): number | undefined {
  const open = openOne(episodes);
  if (event.name === "resolved") return open?.openedAt;
  const endsFirstWait = event.name === "replied" && event.by === "human" && open?.firstReplyAt === null;
  return endsFirstWait ? (open.waitingSince ?? undefined) : undefined;
}

const openOne = (episodes: readonly Episode[]) => {
  const last = episodes.at(-1);
  return last?.resolvedAt === null ? last : undefined;
};

function opened(number: number, { at, by, byId }: Extract<EpisodeEvent, { name: "opened" }>): Episode {
  return {
    number,
    openedAt: at,
    openedBy: by,
    openedById: byId,
    waitingSince: null,
    firstReplyAt: null,
    firstReplyBy: null,
    firstReplyMs: null,
    firstReplyOpenMs: null,
    replies: 0,
    assistantReplies: 0,
    lastReplyBy: null,
    snoozedSince: null,
    snoozedMs: 0,
    resolvedAt: null,
    resolvedBy: null,
    resolutionMs: null,
    resolutionOpenMs: null,
    rating: null,
    ratedAt: null,
  };
}

function episodeAfter(episode: Episode, event: Exclude<EpisodeEvent, { name: "opened" }>): Episode {
  const waitingSince = waitingAfter(episode.waitingSince, event);
  switch (event.name) {
    case "visitor-wrote":
    case "handoff-requested":
      return { ...episode, waitingSince };
    case "replied":
      return event.by === "assistant"
        ? { ...episode, waitingSince, assistantReplies: episode.assistantReplies + 1 }
        : {
            ...episode,
            ...firstReply(episode, event),
            waitingSince,
            replies: episode.replies + 1,
            lastReplyBy: event.agentId,
          };
    case "snoozed":
      return { ...episode, snoozedSince: episode.snoozedSince ?? event.at };
    case "unsnoozed":
      return { ...episode, ...snoozeEnded(episode, event.at) };
    case "resolved":
      return {
        ...episode,
        ...snoozeEnded(episode, event.at),
        waitingSince,
        resolvedAt: event.at,
        resolvedBy: event.by,
        resolutionMs: duration(episode.openedAt, event.at),
        resolutionOpenMs: event.openMs,
      };
    case "rated":
      return { ...episode, rating: event.rating, ratedAt: event.at };
    default:
      return event satisfies never;
  }
}

function firstReply(
  { waitingSince, firstReplyAt }: Episode,
  { at, agentId, openMs }: Extract<EpisodeEvent, { name: "replied" }>,
): Partial<Episode> {
  if (waitingSince === null || firstReplyAt !== null) return {};
  return {
    firstReplyAt: at,
    firstReplyBy: agentId,
    firstReplyMs: duration(waitingSince, at),
    firstReplyOpenMs: openMs,
  };
}

function snoozeEnded({ snoozedSince, snoozedMs }: Episode, at: number): Pick<Episode, "snoozedSince" | "snoozedMs"> {
  return { snoozedSince: null, snoozedMs: snoozedMs + (snoozedSince === null ? 0 : duration(snoozedSince, at)) };
}

/** A clock that was set back makes no duration negative. */
const duration = (from: number, to: number) => Math.max(0, to - from);
