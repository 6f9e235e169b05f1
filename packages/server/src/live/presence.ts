import type { LivePage } from "@frontdesk/core/contract/live";
import type { PresenceNote } from "../contacts/note-presence.ts";
import type { PubSub } from "../pub-sub.ts";
import type { Timers } from "../timers.ts";
import { presenceExchange } from "./presence-exchange.ts";
import { presenceSender, teamPresenceFrame } from "./presence-frames.ts";
import { type PresenceNotes, presenceNotes } from "./presence-notes.ts";
import {
  emptyTeam,
  isAwayHere,
  isThere,
  keyOf,
  type Person,
  type PersonHere,
  personAt,
  personOf,
  plain,
  type Say,
  type TeamPresence,
} from "./team-presence.ts";
import { createTyping, type TypingParts } from "./typing.ts";
import type { Subscriber } from "./subscriber.ts";

/** A person whose last stream has ended is there for so long: a page that is changed is no leaving. */
const GRACE_MS = 5_000;
/** How often those who are there are noted, and told to the other processes. */
const REFRESH_MS = 60_000;
/** A person who was not refreshed for so long was left behind by a process that died. */
export const PRESENCE_LEASE_MS = 150_000;

/** Who is there at this moment, and who types. Frames of it have no number: they are never replayed. */
export interface Presence {
  /**
   * A stream is live: it is sent who is there, and others that its person is. Answers what to call when it ends.
   *
   * @param say sends at once; `sayInTurn` waits for a reader who is slow
   */
  connect(subscriber: Subscriber, say: Say, sayInTurn: (frame: object) => Promise<void> | undefined): () => void;
  /** An agent is away from now on, by choice or because nobody touches the screens, or no longer. */
  awayChanged(subscriber: Subscriber): void;
  types(subscriber: Subscriber, conversationId: string, isTyping: boolean): void;
  /** A visitor is on this page; null: on none that agents may see. */
  visits(subscriber: Subscriber, page: LivePage | null): void;
}

export interface PresenceOfProcess extends Presence {
  start(): void;
  /** Notes those who were here as gone. */
  stop(): Promise<void>;
}

export interface PresenceParts extends Pick<TypingParts, "whoTypes"> {
  pubSub: PubSub;
  /** Of this process, unlike any other. */
  processId: string;
  /** Ms since the epoch. */
  now(): number;
  /** The same, moved on evenly: for leases. */
  steadyNow(): number;
  timers: Timers;
  /** No other process serves this data: those online before this one began were left behind. */
  alone: boolean;
  note(teamId: string, note: PresenceNote): Promise<void>;
  /** Takes those offline who were last seen before this moment. */
  endLeft(before: number): Promise<void>;
  onTrouble(error: unknown): void;
}

/**
 * A person, as one process sees them:
 *
 * ```
 *              first stream                      last stream ends
 *   away ------------------------> there --------------------------> leaving
 *     ^                              ^                                  |  |
 *     |                              '---------- a stream again --------'  |
 *     '------------------------------------------------------- 5 s --------'
 * ```
 * Kept in memory (team-presence.ts) and exchanged with the other processes (presence-exchange.ts). Streams are sent what
 * changes (presence-frames.ts, typing.ts). The data has it when it changes and once a minute, so that lists can show it
 * (presence-notes.ts); it is never what streams are told from. docs/decisions/0030-presence-by-team.md
 */
export function createPresence(parts: PresenceParts): PresenceOfProcess {
  const { pubSub, processId, now, steadyNow, timers, onTrouble } = parts;
  const teams = new Map<string, TeamPresence>();
  const notes = new WeakMap<TeamPresence, PresenceNotes>();
  /** Those whose page has changed: other processes are told with the next frame. */
  const onOtherPage = new Set<PersonHere>();
  const sender = presenceSender(timers, (team, people) => sayPages(team, people));
  const exchange = presenceExchange(pubSub, processId, hear);
  const typing = createTyping({
    whoTypes: parts.whoTypes,
    tell(subscriber, contactId, frame) {
      sendTyping(subscriber.teamId, contactId, frame, subscriber);
      exchange.say(subscriber.teamId, { kind: "typing", contactId, frame });
    },
  });
  /** Until those whom an earlier process left behind are offline: what is noted after it holds. */
  let begun = Promise.resolve();
  let cancelRefresh = () => {};

  pubSub.onReconnect(() => {
    for (const team of teams.values()) {
      sayAllHere(team);
      exchange.say(team.teamId, { kind: "ask" });
    }
  });

  return {
    connect,
    awayChanged,
    visits,
    types: typing.types,
    start() {
      begun = endLeft(parts.alone ? Number.MAX_SAFE_INTEGER : now() - PRESENCE_LEASE_MS);
      cancelRefresh = timers.after(REFRESH_MS, refresh);
    },
    async stop() {
      cancelRefresh();
      for (const team of teams.values()) {
        for (const person of [...team.here.values()]) leave(team, person);
        sender.forget(team);
      }
      await Promise.all([...teams.values()].map((team) => notesOf(team).flush()));
    },
  };

  // Streams

  function connect(subscriber: Subscriber, say: Say, sayInTurn: (frame: object) => Promise<void> | undefined) {
    const team = teamOf(subscriber.teamId);
    team.streams.set(subscriber, say);
    const person = personOf(subscriber, now());
    if (person) come(team, person);
    if (person?.kind === "agent") awayChanged(subscriber);
    if (subscriber.viewer.kind === "visitor") say(teamPresenceFrame(team));
    else void sender.whole(team, subscriber, sayInTurn);
    return () => {
      team.streams.delete(subscriber);
      typing.ends(subscriber);
      if (person) endStream(team, person);
      if (person?.kind === "agent") awayChanged(subscriber);
      forget(team);
    };
  }

  function come(team: TeamPresence, person: Person): void {
    const key = keyOf(person);
    const before = team.here.get(key);
    if (before) {
      before.stay?.();
      before.stay = undefined;
      before.streams += 1;
      before.seenAt = person.seenAt;
      return;
    }
    const isNew = !isThere(team, key);
    team.here.set(key, { ...person, streams: 1, stay: undefined });
    exchange.say(team.teamId, { kind: "here", people: [person] });
    notesOf(team).person(person);
    if (isNew) sender.later(team, person);
  }

  function endStream(team: TeamPresence, { kind, id }: Person): void {
    const here = team.here.get(keyOf({ kind, id }));
    if (!here) return;
    here.streams -= 1;
    here.seenAt = now();
    if (here.streams > 0) return;
    here.stay = timers.after(GRACE_MS, () => {
      leave(team, here);
      forget(team);
    });
  }

  function leave(team: TeamPresence, here: PersonHere): void {
    here.stay?.();
    onOtherPage.delete(here);
    team.here.delete(keyOf(here));
    const person = plain(here);
    exchange.say(team.teamId, { kind: "gone", people: [person] });
    if (isThere(team, keyOf(here))) return;
    notesOf(team).person(person);
    sender.later(team, person);
  }

  function awayChanged({ teamId, agentId }: Subscriber): void {
    const team = teams.get(teamId);
    const here = agentId === undefined ? undefined : team?.here.get(keyOf({ kind: "agent", id: agentId }));
    if (!team || !here || here.streams === 0) return;
    const isAway = isAwayHere(team, here.id);
    if (here.isAway === isAway) return;
    here.isAway = isAway;
    here.seenAt = now();
    notesOf(team).person(here);
    sender.later(team, here);
    exchange.say(teamId, { kind: "here", people: [plain(here)] });
  }

  function visits({ teamId, viewer }: Subscriber, page: LivePage | null): void {
    const team = teams.get(teamId);
    const here = viewer.kind === "visitor" && team?.here.get(keyOf({ kind: "contact", id: viewer.contactId }));
    if (!team || !here) return;
    if (here.page?.url === page?.url && here.page?.title === page?.title) return;
    const isOther = here.page?.url !== page?.url;
    here.page = page;
    here.seenAt = now();
    onOtherPage.add(here);
    sender.later(team, here);
    if (page && isOther) notesOf(team).page(here.id, page.url);
  }

  function sayPages(team: TeamPresence, people: readonly Person[]): void {
    const others = people.flatMap((person) => {
      const here = team.here.get(keyOf(person));
      return here && onOtherPage.delete(here) ? [plain(here)] : [];
    });
    if (others.length > 0) exchange.say(team.teamId, { kind: "here", people: others });
  }

  function sendTyping(teamId: string, contactId: string, frame: { from: "visitor" | "agent" }, from?: Subscriber): void {
    for (const [subscriber, say] of teams.get(teamId)?.streams ?? []) {
      if (subscriber === from) continue;
      const { viewer } = subscriber;
      if (viewer.kind === "agent" || (frame.from === "agent" && viewer.contactId === contactId)) say(frame);
    }
  }

  // The data

  function notesOf(team: TeamPresence): PresenceNotes {
    const known = notes.get(team);
    if (known) return known;
    const made = presenceNotes({
      write: (note) => parts.note(team.teamId, note),
      before: begun,
      statusOf(person) {
        const there = personAt(team, keyOf(person));
        return { online: there !== undefined, isAway: there?.isAway ?? false };
      },
      timers,
      onTrouble,
      onIdle: () => forget(team),
    });
    notes.set(team, made);
    return made;
  }

  function refresh(): void {
    cancelRefresh = timers.after(REFRESH_MS, refresh);
    for (const team of [...teams.values()]) {
      endLeases(team);
      for (const person of team.here.values()) {
        if (person.streams > 0) person.seenAt = now();
        notesOf(team).person(person);
      }
      sayAllHere(team);
      forget(team);
    }
    void endLeft(now() - PRESENCE_LEASE_MS);
  }

  /** Of processes that have said nothing for too long. */
  function endLeases(team: TeamPresence): void {
    for (const [key, processes] of team.elsewhere) {
      for (const [process, { until }] of processes) if (until < steadyNow()) processes.delete(process);
      if (processes.size > 0) continue;
      team.elsewhere.delete(key);
      if (team.here.has(key)) continue;
      const [kind, id] = key.split(":") as [Person["kind"], string];
      sender.later(team, { kind, id, page: null, isAway: false, seenAt: now() - PRESENCE_LEASE_MS });
    }
  }

  function endLeft(before: number): Promise<void> {
    return parts.endLeft(before).catch(onTrouble);
  }

  // Other processes

  function hear(teamId: string, from: string, word: Parameters<typeof exchange.say>[1]): void {
    const team = teams.get(teamId);
    if (!team) return;
    switch (word.kind) {
      case "here":
        for (const person of word.people) hearOf(team, from, person);
        return;
      case "gone":
        for (const person of word.people) hearGone(team, from, person);
        return;
      case "ask":
        sayAllHere(team);
        return;
      case "typing":
        sendTyping(teamId, word.contactId, word.frame);
        return;
      default:
        word satisfies never;
    }
  }

  function hearOf(team: TeamPresence, process: string, person: Person): void {
    const key = keyOf(person);
    const before = personAt(team, key);
    const processes = team.elsewhere.get(key) ?? new Map();
    team.elsewhere.set(key, processes.set(process, { ...person, until: steadyNow() + PRESENCE_LEASE_MS }));
    const after = personAt(team, key);
    const isSame =
      before &&
      before.isAway === after?.isAway &&
      before.page?.url === person.page?.url &&
      before.page?.title === person.page?.title;
    if (!isSame) sender.later(team, person);
  }

  function hearGone(team: TeamPresence, process: string, person: Person): void {
    const key = keyOf(person);
    const processes = team.elsewhere.get(key);
    processes?.delete(process);
    if (processes?.size === 0) team.elsewhere.delete(key);
    // An agent who was at work there may have left only screens that nobody touches.
    if (!isThere(team, key) || person.kind === "agent") sender.later(team, person);
    // The other process has noted that they left, and cannot know that they are here.
    if (team.here.has(key)) notesOf(team).person(person);
  }

  function sayAllHere(team: TeamPresence): void {
    exchange.say(team.teamId, { kind: "here", people: [...team.here.values()].map(plain) });
  }

  function teamOf(teamId: string): TeamPresence {
    const known = teams.get(teamId);
    if (known) return known;
    const team = emptyTeam(teamId);
    teams.set(teamId, team);
    exchange.say(teamId, { kind: "ask" });
    return team;
  }

  /** A team without streams, people and notes: what others say of it is of no use. */
  function forget(team: TeamPresence): void {
    if (team.streams.size > 0 || team.here.size > 0 || !notesOf(team).isIdle()) return;
    if (teams.get(team.teamId) !== team) return;
    teams.delete(team.teamId);
    sender.forget(team);
  }
}
