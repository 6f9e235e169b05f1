import type { LivePoll } from "@frontdesk/core/contract/live";
import { bytesOf, isOfThisLog, REPLAY_MAX_BYTES } from "./replay-log.ts";
import type { SeenPage } from "./seen-page.ts";
import type { StreamAdmission } from "./stream-admission.ts";
import type { Subscriber } from "./subscriber.ts";
import type { TeamFeeds } from "./team-feeds.ts";

export interface PollParts {
  feeds: Pick<TeamFeeds, "read">;
  epoch(): Promise<string>;
  count: StreamAdmission["count"];
  /** Called with the number of events sent. */
  onSent(events: number): void;
}

/** Where a returning client left off. */
export interface PollPosition {
  since: number | undefined;
  epoch: string | undefined;
}

/** A page of what was added since, for a client that no stream reaches: the frames that a stream would have begun with. */
export async function pollLog(
  { feeds, epoch, count, onSent }: PollParts,
  subscriber: Subscriber,
  address: string,
  asked: PollPosition,
): Promise<LivePoll> {
  const { teamId, viewer } = subscriber;
  const { since } = asked;
  const [page, name] = await Promise.all([feeds.read(teamId, viewer, since ?? Number.MAX_SAFE_INTEGER), epoch()]);
  const { current } = page.bounds;
  const ready = (number: number) => ({ type: "ready", number, epoch: name }) as const;
  if (since === undefined) return { frames: [ready(current)], has_more: false };
  const canGoOn =
    isOfThisLog({ since, epoch: asked.epoch }, { ...page.bounds, epoch: name }) &&
    (viewer.kind === "agent" || (await mayBeReplayed(page)));
  if (!canGoOn) {
    return { frames: [{ type: "reset", number: current, epoch: name }, ready(current)], has_more: false };
  }
  const events = page.frames.map(({ text }) => JSON.parse(text));
  onSent(events.length);
  return { frames: [...events, ready(page.through)], has_more: !page.isEnd };

  /** A page that is not the last is a replay; those of visitors are bounded. */
  async function mayBeReplayed({ frames, isEnd }: SeenPage): Promise<boolean> {
    return bytesOf(frames) <= REPLAY_MAX_BYTES && (isEnd || count(subscriber, address, "replays"));
  }
}
