import type { HelloFrame, ResetFrame } from "@frontdesk/core/contract/live";
import type { LogBounds } from "../events/read-log.ts";
import type { FrameSender } from "./frame-sender.ts";
import { isClosed, type LiveStream, type StreamServices } from "./live-stream.ts";
import type { SeenPage } from "./seen-page.ts";
import type { Subscriber } from "./subscriber.ts";
import type { Seat } from "./team-feed.ts";
import type { Watcher } from "./watchers.ts";

/**
 * Bytes of events sent to a visitor who reconnects. Beyond it the stream begins again with `reset`: fetching the chat costs
 * less than sending it event by event.
 */
export const REPLAY_MAX_BYTES = 524_288;

export interface Replay {
  stream: LiveStream;
  subscriber: Subscriber;
  seat: Seat;
  watcher: Watcher;
  sender: FrameSender;
  services: Pick<StreamServices, "count" | "onSent">;
}

/**
 * Sends the log after the number of the hello, page by page, until the watcher has joined its feed:
 *
 * ```
 *           the number is of this log              last page, and the feed is not ahead
 *   hello ----------------------------> paging ----------------------------------------> joined
 *     |                                  | ^ |                                             ^
 *     | no number, or not of this log    | '-' a page was sent, and more has come          |
 *     | (`reset`)                        | more than a replay may have (`reset`)           |
 *     '----------------------------------'-------> at the end of the log ------------------'
 * ```
 *
 * @returns false when the stream was closed meanwhile
 */
export async function replayLog(replay: Replay, hello: HelloFrame, epoch: string): Promise<boolean> {
  const { stream, subscriber, seat, watcher, sender, services } = replay;
  const since = hello.since ?? undefined;
  let page = await readOn(replay, since ?? Number.MAX_SAFE_INTEGER);
  if (since === undefined) page = skipToEnd(replay, page);
  else if (!isOfThisLog({ since, epoch: hello.epoch }, { ...page.bounds, epoch }) || !(await isAllowed(replay, page))) {
    page = reset(replay, page, epoch);
  }
  let replayed = 0;
  for (;;) {
    replayed += bytesOf(page.frames);
    if (subscriber.viewer.kind === "visitor" && replayed > REPLAY_MAX_BYTES) {
      page = reset(replay, page, epoch);
      replayed = 0;
    }
    for (const { text } of page.frames) await sender.sendPaced(text);
    services.onSent(page.frames.length);
    if (isClosed(stream)) return false;
    if (page.isEnd && seat.join()) return true;
    page = await readOn(replay, watcher.at);
  }
}

async function readOn({ seat, watcher }: Replay, after: number): Promise<SeenPage> {
  const page = await seat.read(after);
  watcher.at = page.through;
  return page;
}

/** An empty replay costs nothing; any other of a visitor is counted. */
async function isAllowed({ stream, subscriber, services }: Replay, { frames }: SeenPage): Promise<boolean> {
  if (subscriber.viewer.kind === "agent" || frames.length === 0) return true;
  return services.count(subscriber, stream.address, "replays");
}

/** Tells the client that the events it has missed are not sent, so that it fetches its state again. */
function reset(replay: Replay, page: SeenPage, epoch: string): SeenPage {
  replay.sender.send({ type: "reset", number: page.bounds.current, epoch } satisfies ResetFrame);
  return skipToEnd(replay, page);
}

function skipToEnd({ watcher }: Replay, page: SeenPage): SeenPage {
  watcher.at = page.bounds.current;
  return { ...page, frames: [], isEnd: true };
}

export function bytesOf(frames: SeenPage["frames"]): number {
  return frames.reduce((bytes, { text }) => bytes + Buffer.byteLength(text), 0);
}

/** Whether a client can resume from its number: it belongs to this log, and everything after it still exists. */
export function isOfThisLog(
  asked: { since: number; epoch: string | null | undefined },
  { epoch, current, oldest }: LogBounds & { epoch: string },
): boolean {
  if (asked.epoch !== epoch || asked.since > current) return false;
  return asked.since === current || (oldest !== undefined && asked.since >= oldest - 1);
}
