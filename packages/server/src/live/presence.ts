import type { LivePage, TypingNowFrame } from "@frontdesk/core/contract/live";
import type { PresenceNote } from "../contacts/note-presence.ts";
import type { PubSub } from "../pub-sub.ts";
import type { Timeouts } from "../timeouts.ts";
import { localPresence } from "./local-presence.ts";
import { type PresenceMessage, presenceExchange } from "./presence-exchange.ts";
import { presenceSender, teamPresenceFrame } from "./presence-frames.ts";
import { presenceTeams } from "./presence-teams.ts";
import { PRESENCE_LEASE_MS, remotePresence } from "./remote-presence.ts";
import type { Subscriber } from "./subscriber.ts";
import { personOf, type Say } from "./team-presence.ts";
import { createTyping, type Typing, type TypingParts } from "./typing.ts";

/** How often people who are online are noted, and published to the other processes. */
const REFRESH_MS = 60_000;

/** Who is online at this moment, and who types. These frames have no number: they are never replayed. */
export interface Presence {
  /**
   * A stream is live: it is sent who is online, and others that its person is. Returns what to call when it ends.
   *
   * @param say sends at once; `sendAndWait` waits for a slow reader
   */
  connect(subscriber: Subscriber, say: Say, sendAndWait: (frame: object) => Promise<void> | undefined): () => void;
  /** An agent becomes away, by choice or because no screen of theirs is used, or no longer is. */
  awayChanged(subscriber: Subscriber): void;
  types(subscriber: Subscriber, conversationId: string, isTyping: boolean): void;
  /** A visitor is on this page; null: on a page that agents may not see. */
  visits(subscriber: Subscriber, page: LivePage | null): void;
}

export interface PresenceOfProcess extends Presence, Pick<Typing, "agentTypes"> {
  start(): void;
  /** Notes everyone who was here as gone. */
  stop(): Promise<void>;
}

export interface PresenceParts extends Pick<TypingParts, "presenceDetails"> {
  pubSub: PubSub;
  /** Unique to this process. */
  processId: string;
  /** Ms since the epoch. */
  now(): number;
  /** The same, but steady: for leases. */
  steadyNow(): number;
  timeouts: Timeouts;
  /** No other process serves this data: people online before this one began were left behind. */
  alone: boolean;
  note(teamId: string, note: PresenceNote): Promise<void>;
  /** Takes people offline who were last seen before this time. */
  endLeft(before: number): Promise<void>;
  onTrouble(error: unknown): void;
  /** A visitor has begun or stopped to type, here or in another process. */
  onVisitorTypes(conversationId: string, isTyping: boolean): void;
}

/**
 * ```
 *   streams of this process ---> local-presence.ts ---+---> presence-frames.ts, to streams of this process
 *                                   |        ^        |
 *             presence-exchange.ts  |        | ask    +---> presence-notes.ts, to the data
 *                                   v        |        |
 *   other processes -----------> remote-presence.ts --'
 * ```
 * What is known of a team is kept in memory (team-presence.ts). It is stored when it changes and once a minute, so that lists
 * can show it; streams never get the stored state. docs/decisions/0030-presence-by-team.md
 */
export function createPresence(parts: PresenceParts): PresenceOfProcess {
  const { pubSub, processId, now, steadyNow, timeouts, note, onTrouble } = parts;
  let begun = Promise.resolve();
  let cancelRefresh = () => {};

  const exchange = presenceExchange(pubSub, processId, receive);
  const teams = presenceTeams({
    note,
    begun: () => begun,
    timeouts,
    onTrouble,
    onOpen: ({ teamId }) => exchange.publish(teamId, { kind: "ask" }),
    onRemove: (team) => sender.forget(team),
  });
  const sender = presenceSender(timeouts, (team, people) => local.publishPages(team, people));
  const local = localPresence({ teams, sender, exchange, now, timeouts });
  const remote = remotePresence({ teams, sender, now, steadyNow });
  const typing = createTyping({
    presenceDetails: parts.presenceDetails,
    send(teamId, contactId, frame, from) {
      noteVisitor(frame);
      sendTyping(teamId, contactId, frame, from);
      exchange.publish(teamId, { kind: "typing", contactId, frame });
    },
  });

  pubSub.onReconnect(() => {
    for (const team of teams.all()) {
      local.publishAll(team);
      exchange.publish(team.teamId, { kind: "ask" });
    }
  });

  return {
    connect,
    awayChanged: local.awayChanged,
    visits: local.visits,
    types: typing.types,
    agentTypes: typing.agentTypes,
    start() {
      begun = endLeft(parts.alone ? Number.MAX_SAFE_INTEGER : now() - PRESENCE_LEASE_MS);
      cancelRefresh = timeouts.after(REFRESH_MS, refresh);
    },
    async stop() {
      cancelRefresh();
      for (const team of teams.all()) {
        local.removeAll(team);
        sender.forget(team);
      }
      await Promise.all(teams.all().map((team) => teams.notesOf(team).flush()));
    },
  };

  function connect(subscriber: Subscriber, say: Say, sendAndWait: (frame: object) => Promise<void> | undefined) {
    const team = teams.open(subscriber.teamId);
    team.streams.set(subscriber, say);
    const person = personOf(subscriber, now());
    if (person) local.streamOpened(team, person);
    if (person?.kind === "agent") local.awayChanged(subscriber);
    if (subscriber.viewer.kind === "visitor") say(teamPresenceFrame(team));
    else void sender.whole(team, subscriber, sendAndWait);
    return () => {
      team.streams.delete(subscriber);
      typing.ends(subscriber);
      if (person) local.streamClosed(team, person);
      if (person?.kind === "agent") local.awayChanged(subscriber);
      teams.removeIdle(team);
    };
  }

  function receive(teamId: string, process: string, message: PresenceMessage): void {
    if (message.kind === "typing") noteVisitor(message.frame);
    const team = teams.find(teamId);
    if (!team) return;
    switch (message.kind) {
      case "here":
        for (const person of message.people) remote.isAt(team, process, person);
        return;
      case "gone":
        for (const person of message.people) remote.hasLeft(team, process, person);
        return;
      case "ask":
        local.publishAll(team);
        return;
      case "typing":
        sendTyping(teamId, message.contactId, message.frame);
        return;
      default:
        message satisfies never;
    }
  }

  function noteVisitor({ from, conversation_id, typing }: TypingNowFrame): void {
    if (from === "visitor") parts.onVisitorTypes(conversation_id, typing);
  }

  /** @param from the stream that types itself */
  function sendTyping(
    teamId: string,
    contactId: string | null,
    frame: { from: "visitor" | "agent" },
    from?: Subscriber,
  ): void {
    for (const [subscriber, say] of teams.find(teamId)?.streams ?? []) {
      if (subscriber === from) continue;
      const { viewer } = subscriber;
      if (viewer.kind === "agent" || (frame.from === "agent" && viewer.contactId === contactId)) say(frame);
    }
  }

  function refresh(): void {
    cancelRefresh = timeouts.after(REFRESH_MS, refresh);
    for (const team of teams.all()) {
      remote.endLeases(team);
      local.renew(team);
      local.publishAll(team);
      teams.removeIdle(team);
    }
    void endLeft(now() - PRESENCE_LEASE_MS);
  }

  function endLeft(before: number): Promise<void> {
    return parts.endLeft(before).catch(onTrouble);
  }
}
