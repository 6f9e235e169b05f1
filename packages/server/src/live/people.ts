import type { LivePage, PresenceFrame, TeamPresenceFrame, TypingNowFrame } from "@frontdesk/core/contract/live";
import type { PresenceChange } from "../contacts/note-presence.ts";
import { presentFace } from "../conversations/present-face.ts";
import type { WhoTypes } from "../conversations/tell-who-types.ts";
import type { ProcessWire } from "../process-wire.ts";
import { isoTime } from "../timestamp.ts";
import type { Listener } from "./who-listens.ts";

/** Somebody whose last stream has ended is there for so long: a page that is changed is no leaving. */
const GRACE_MS = 5_000;
/** Changes are told together. */
const TELL_AFTER_MS = 200;
const NOTE_AFTER_MS = 500;
/** How often those who are there are noted, and told to the other processes. */
const REFRESH_MS = 60_000;
/** Whoever was not refreshed for so long was left behind by a process that died. */
export const PRESENCE_LEASE_MS = 150_000;
/** People in one frame. */
const AT_A_TIME = 200;
const TOPIC = "people";

/** Who is there at this moment, and who types. Frames of it have no number: they are never replayed. */
export interface People {
  /**
   * Somebody's stream is live: they are told who is there, and the others of them. Answers what to call when it ends.
   *
   * @param say sends at once; `sayInTurn` waits for a reader who is slow
   */
  arrive(listener: Listener, say: Say, sayInTurn: (frame: object) => Promise<void> | undefined): () => void;
  /** An agent is away from now on, because they want to or because nobody touches their screens, or no longer. */
  turns(listener: Listener): void;
  types(listener: Listener, conversationId: string, typing: boolean): void;
  visits(listener: Listener, page: LivePage): void;
}

export interface PeopleOfProcess extends People {
  start(): void;
  /** Notes those who were here as gone. */
  stop(): Promise<void>;
}

type Say = (frame: object) => void;

interface Person {
  kind: "contact" | "agent";
  id: string;
  page: LivePage | null;
  /** Of an agent who is there and does not want to be asked, or has left their screens alone for long. */
  isAway: boolean;
  /** When they were last seen, ms since the epoch. */
  seenAt: number;
}

interface PersonHere extends Person {
  streams: number;
  leaving: NodeJS.Timeout | undefined;
}

/** A team's people, as this process knows them. */
interface TeamPeople {
  streams: Map<Listener, Say>;
  here: Map<string, PersonHere>;
  /** Those of other processes, by person and process, and until when they count as there. */
  elsewhere: Map<string, Map<string, Person & { until: number }>>;
  /** Who has changed since it was last told, with how they were last seen. */
  untold: Map<string, Person>;
  /** Who is to be written into the data. */
  unnoted: Map<string, Person>;
  /** What visitors were last told of the team. */
  teamOnline: boolean;
}

/** What processes tell one another. */
type Word = { from: string; team: string } & (
  | { kind: "here" | "gone"; people: Person[] }
  | { kind: "ask" }
  | { kind: "typing"; contactId: string; frame: TypingNowFrame }
);

export interface PeopleParts {
  wire: ProcessWire;
  /** Of this process, unlike any other. */
  processId: string;
  now(): number;
  /** Nobody else serves this data: whoever is online before this process began was left behind. */
  alone: boolean;
  note(teamId: string, changes: { contacts: PresenceChange[]; agents: PresenceChange[] }): Promise<void>;
  noteVisit(teamId: string, visit: { contactId: string; page: string }): Promise<void>;
  endLeft(before: number): Promise<void>;
  /** @throws Refusal when there is no such conversation */
  whoTypes(teamId: string, asked: { conversationId: string; agentId: string | undefined }): Promise<WhoTypes>;
  onTrouble(error: unknown): void;
}

/**
 * ```
 *              first stream                      last stream ends
 *   away ------------------------> there --------------------------> leaving
 *     ^                              ^                                  |  |
 *     |                              '---------- a stream again --------'  |
 *     '------------------------------------------------------- 5 s --------'
 * ```
 * Kept in memory, and told to the other processes by the wire; without one a process knows its own people alone. The data
 * has it when it changes and once a minute, so that lists can show it; it is never what streams are told from.
 */
export function createPeople(parts: PeopleParts): PeopleOfProcess {
  const { wire, processId, now, onTrouble } = parts;
  const teams = new Map<string, TeamPeople>();
  const typing = new WeakMap<Listener, Map<string, { who: Promise<WhoTypes | undefined>; typing: boolean }>>();
  const timers = new Set<NodeJS.Timeout>();
  let refreshing: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  wire.hear(TOPIC, (text) => hear(JSON.parse(text) as Word));
  wire.reached(() => {
    for (const [teamId, team] of teams) {
      tellWhoIsHere(teamId, team);
      tellOthers({ kind: "ask" }, teamId);
    }
  });

  return {
    arrive,
    turns,
    types,
    visits,
    start() {
      refreshing = setInterval(refresh, REFRESH_MS).unref();
      inOrder(() => parts.endLeft(parts.alone ? Number.MAX_SAFE_INTEGER : now() - PRESENCE_LEASE_MS));
    },
    async stop() {
      clearInterval(refreshing);
      for (const timer of timers) clearTimeout(timer);
      for (const [teamId, team] of teams) {
        for (const person of [...team.here.values()]) leave(teamId, team, person);
        noteChanges(teamId, team);
      }
      await writing;
    },
  };

  function arrive(listener: Listener, say: Say, sayInTurn: (frame: object) => Promise<void> | undefined) {
    const { teamId } = listener;
    const team = teamOf(teamId);
    team.streams.set(listener, say);
    const person = personOf(listener);
    if (person) come(teamId, team, person);
    if (person?.kind === "agent") turns(listener);
    if (listener.eye.kind === "visitor") say(teamPresence(team));
    else void tellWhole(team, listener, sayInTurn);
    return () => {
      team.streams.delete(listener);
      for (const [conversationId, state] of typing.get(listener) ?? []) {
        if (state.typing) types(listener, conversationId, false);
      }
      if (person) endStream(teamId, team, person);
      if (person?.kind === "agent") turns(listener);
      forget(teamId, team);
    };
  }

  function come(teamId: string, team: TeamPeople, person: Person): void {
    const key = keyOf(person);
    const before = team.here.get(key);
    if (before) {
      clearTimeout(before.leaving);
      before.leaving = undefined;
      before.streams += 1;
      before.seenAt = person.seenAt;
      return;
    }
    const isNew = !isThere(team, key);
    team.here.set(key, { ...person, streams: 1, leaving: undefined });
    tellOthers({ kind: "here", people: [person] }, teamId);
    noteLater(teamId, team, person);
    if (isNew) tellLater(team, person);
  }

  function turns({ teamId, agentId }: Listener): void {
    const team = teams.get(teamId);
    const here = agentId === undefined ? undefined : team?.here.get(keyOf({ kind: "agent", id: agentId }));
    if (!team || !here || here.streams === 0) return;
    const isAway = isAwayAtAll(team, here.id);
    if (here.isAway === isAway) return;
    here.isAway = isAway;
    here.seenAt = now();
    noteLater(teamId, team, here);
    tellLater(team, here);
    tellOthers({ kind: "here", people: [plain(here)] }, teamId);
  }

  function endStream(teamId: string, team: TeamPeople, { kind, id }: Person): void {
    const here = team.here.get(keyOf({ kind, id }));
    if (!here) return;
    here.streams -= 1;
    here.seenAt = now();
    if (here.streams > 0) return;
    here.leaving = later(() => {
      leave(teamId, team, here);
      forget(teamId, team);
    }, GRACE_MS);
  }

  function leave(teamId: string, team: TeamPeople, here: PersonHere): void {
    const key = keyOf(here);
    team.here.delete(key);
    const person = plain(here);
    tellOthers({ kind: "gone", people: [person] }, teamId);
    if (isThere(team, key)) return;
    noteLater(teamId, team, person);
    tellLater(team, person);
  }

  function visits(listener: Listener, page: LivePage): void {
    if (listener.eye.kind !== "visitor") return;
    const { teamId, eye } = listener;
    const team = teams.get(teamId);
    const here = team?.here.get(keyOf({ kind: "contact", id: eye.contactId }));
    if (!team || !here) return;
    if (here.page?.url === page.url && here.page.title === page.title) return;
    const isOther = here.page?.url !== page.url;
    here.page = page;
    here.seenAt = now();
    tellLater(team, here);
    tellOthers({ kind: "here", people: [plain(here)] }, teamId);
    if (isOther) inOrder(() => parts.noteVisit(teamId, { contactId: eye.contactId, page: page.url }));
  }

  function types(listener: Listener, conversationId: string, isTyping: boolean): void {
    if (!listener.mayType) return;
    const known = typing.get(listener) ?? new Map();
    typing.set(listener, known);
    const state = known.get(conversationId) ?? { who: findWhoTypes(listener, conversationId), typing: false };
    // Somebody types in one conversation or two; this is for those who try them all.
    if (known.size > 50) known.clear();
    known.set(conversationId, { ...state, typing: isTyping });
    void state.who.then((who: WhoTypes | undefined) => {
      if (!who) return;
      const frame = typingFrame(listener, conversationId, who, isTyping);
      tellTyping(listener.teamId, who.contactId, frame, listener);
      tellOthers({ kind: "typing", contactId: who.contactId, frame }, listener.teamId);
    });
  }

  /** Undefined where they may not, or there is no such conversation. */
  function findWhoTypes(listener: Listener, conversationId: string): Promise<WhoTypes | undefined> {
    const { eye, teamId, agentId } = listener;
    return parts.whoTypes(teamId, { conversationId, agentId }).then(
      (who) => (eye.kind === "agent" || who.contactId === eye.contactId ? who : undefined),
      () => undefined,
    );
  }

  function tellTyping(teamId: string, contactId: string, frame: TypingNowFrame, from?: Listener): void {
    for (const [listener, say] of teams.get(teamId)?.streams ?? []) {
      if (listener === from) continue;
      const { eye } = listener;
      if (eye.kind === "agent" || (frame.from === "agent" && eye.contactId === contactId)) say(frame);
    }
  }

  // Told to streams

  async function tellWhole(
    team: TeamPeople,
    listener: Listener,
    sayInTurn: (frame: object) => Promise<void> | undefined,
  ): Promise<void> {
    const keys = [...team.here.keys(), ...team.elsewhere.keys()];
    let whole = true;
    do {
      const people = keys.splice(0, AT_A_TIME).flatMap((key) => personAt(team, key) ?? []);
      // As they are at this moment: what has changed since the first frame must not be told as it was.
      await sayInTurn(presenceFrame(team, people, whole));
      whole = false;
    } while (keys.length > 0 && team.streams.has(listener));
  }

  function tellLater(team: TeamPeople, person: Person): void {
    if (team.untold.size === 0) later(() => tellChanges(team), TELL_AFTER_MS);
    team.untold.set(keyOf(person), plain(person));
  }

  function tellChanges(team: TeamPeople): void {
    const people = [...team.untold].map(([key, person]) => personAt(team, key) ?? person);
    team.untold.clear();
    while (people.length > 0) {
      const frame = presenceFrame(team, people.splice(0, AT_A_TIME), false);
      for (const [listener, say] of team.streams) if (listener.eye.kind === "agent") say(frame);
    }
    const teamOnline = someAgent(team);
    if (teamOnline === team.teamOnline) return;
    team.teamOnline = teamOnline;
    for (const [listener, say] of team.streams) if (listener.eye.kind === "visitor") say(teamPresence(team));
  }

  function presenceFrame(team: TeamPeople, people: readonly Person[], whole: boolean): PresenceFrame {
    const status = (person: Person) => (isThere(team, keyOf(person)) ? "online" : "offline");
    const agentStatus = (person: Person) => (person.isAway && status(person) === "online" ? "away" : status(person));
    return {
      type: "presence",
      whole,
      contacts: people
        .filter(({ kind }) => kind === "contact")
        .map((person) => ({
          id: person.id,
          online_status: status(person),
          last_active_at: isoTime(person.seenAt),
          page: person.page,
        })),
      agents: people
        .filter(({ kind }) => kind === "agent")
        .map((person) => ({ id: person.id, online_status: agentStatus(person) })),
    };
  }

  function teamPresence(team: TeamPeople): TeamPresenceFrame {
    // Looked for when somebody changes, and not for everybody who comes.
    return { type: "presence", team_online: team.teamOnline };
  }

  // Written into the data

  function noteLater(teamId: string, team: TeamPeople, person: Person): void {
    if (team.unnoted.size === 0) {
      later(() => {
        noteChanges(teamId, team);
        forget(teamId, team);
      }, NOTE_AFTER_MS);
    }
    team.unnoted.set(keyOf(person), person);
  }

  function noteChanges(teamId: string, team: TeamPeople): void {
    const changes = [...team.unnoted].map(([key, { kind, id }]) => {
      const person = personAt(team, key);
      return { kind, id, online: person !== undefined, isAway: person?.isAway ?? false };
    });
    team.unnoted.clear();
    while (changes.length > 0) {
      const some = Map.groupBy(changes.splice(0, AT_A_TIME), ({ kind }) => kind);
      inOrder(() => parts.note(teamId, { contacts: some.get("contact") ?? [], agents: some.get("agent") ?? [] }));
    }
  }

  function refresh(): void {
    for (const [teamId, team] of teams) {
      for (const [key, processes] of team.elsewhere) {
        for (const [process, person] of processes) if (person.until < performance.now()) processes.delete(process);
        if (processes.size > 0) continue;
        const last = team.elsewhere.get(key);
        team.elsewhere.delete(key);
        const [kind, id] = key.split(":") as [Person["kind"], string];
        if (last && !team.here.has(key))
          tellLater(team, { kind, id, page: null, isAway: false, seenAt: now() - PRESENCE_LEASE_MS });
      }
      for (const person of team.here.values()) {
        if (person.streams > 0) person.seenAt = now();
        team.unnoted.set(keyOf(person), person);
      }
      tellWhoIsHere(teamId, team);
      noteChanges(teamId, team);
      forget(teamId, team);
    }
    inOrder(() => parts.endLeft(now() - PRESENCE_LEASE_MS));
  }

  /** One after another: what is noted later is what holds. */
  function inOrder(write: () => Promise<void>): void {
    writing = writing.then(write).catch(onTrouble);
  }

  // Other processes

  function tellOthers(word: { kind: Word["kind"]; [more: string]: unknown }, teamId: string): void {
    const people = (word.people as Person[] | undefined) ?? [];
    if (people.length <= AT_A_TIME) {
      wire.say(TOPIC, JSON.stringify({ from: processId, team: teamId, ...word }));
      return;
    }
    for (let first = 0; first < people.length; first += AT_A_TIME) {
      tellOthers({ ...word, people: people.slice(first, first + AT_A_TIME) }, teamId);
    }
  }

  function tellWhoIsHere(teamId: string, team: TeamPeople): void {
    tellOthers({ kind: "here", people: [...team.here.values()].map(plain) }, teamId);
  }

  function hear(word: Word): void {
    const team = teams.get(word.team);
    if (word.from === processId || !team) return;
    switch (word.kind) {
      case "here":
        for (const person of word.people) hearOf(team, word.from, person);
        return;
      case "gone":
        for (const person of word.people) {
          const key = keyOf(person);
          const processes = team.elsewhere.get(key);
          processes?.delete(word.from);
          if (processes?.size === 0) team.elsewhere.delete(key);
          // Whoever was at work there may have left only screens that nobody touches.
          if (!isThere(team, key) || person.kind === "agent") tellLater(team, person);
          // The other process has noted that they left, and cannot know that they are here.
          if (team.here.has(key)) noteLater(word.team, team, person);
        }
        return;
      case "ask":
        tellWhoIsHere(word.team, team);
        return;
      case "typing":
        tellTyping(word.team, word.contactId, word.frame);
        return;
      default:
        word satisfies never;
    }
  }

  function hearOf(team: TeamPeople, process: string, person: Person): void {
    const key = keyOf(person);
    const before = personAt(team, key);
    const processes = team.elsewhere.get(key) ?? new Map();
    team.elsewhere.set(key, processes.set(process, { ...person, until: performance.now() + PRESENCE_LEASE_MS }));
    const after = personAt(team, key);
    const isSame =
      before &&
      before.isAway === after?.isAway &&
      before.page?.url === person.page?.url &&
      before.page?.title === person.page?.title;
    if (!isSame) tellLater(team, person);
  }

  // Little things

  function teamOf(teamId: string): TeamPeople {
    const known = teams.get(teamId);
    if (known) return known;
    const team: TeamPeople = {
      streams: new Map(),
      here: new Map(),
      elsewhere: new Map(),
      untold: new Map(),
      unnoted: new Map(),
      teamOnline: false,
    };
    teams.set(teamId, team);
    tellOthers({ kind: "ask" }, teamId);
    return team;
  }

  /** Nobody listens here any more: what others tell is of no use. */
  function forget(teamId: string, team: TeamPeople): void {
    if (team.streams.size > 0 || team.here.size > 0 || team.unnoted.size > 0) return;
    if (teams.get(teamId) === team) teams.delete(teamId);
  }

  function personOf({ eye, agentId, isPerson, isAway }: Listener): Person | undefined {
    const seen = { page: null, isAway, seenAt: now() };
    if (eye.kind === "visitor") return { kind: "contact", id: eye.contactId, ...seen };
    return isPerson && agentId !== undefined ? { kind: "agent", id: agentId, ...seen } : undefined;
  }

  function later(act: () => void, ms: number): NodeJS.Timeout {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms).unref();
    timers.add(timer);
    return timer;
  }
}

const keyOf = ({ kind, id }: Pick<Person, "kind" | "id">): string => `${kind}:${id}`;

const plain = ({ kind, id, page, isAway, seenAt }: Person): Person => ({ kind, id, page, isAway, seenAt });

const isThere = (team: TeamPeople, key: string): boolean => team.here.has(key) || team.elsewhere.has(key);

/** The page is that of where they were seen last; whoever is not away in one process is not away. */
function personAt(team: TeamPeople, key: string): Person | undefined {
  const here = team.here.get(key);
  const known: Person[] = [...(team.elsewhere.get(key)?.values() ?? []), ...(here ? [here] : [])];
  if (known.length === 0) return undefined;
  const latest = known.reduce((last, person) => (person.seenAt >= last.seenAt ? person : last));
  return { ...plain(latest), isAway: known.every(({ isAway }) => isAway) };
}

/** Who wants to be away is so at every screen; who is only not seen, when that goes for all of their screens. */
function isAwayAtAll({ streams }: TeamPeople, agentId: string): boolean {
  const theirs = [...streams.keys()].filter((listener) => listener.agentId === agentId && listener.isPerson);
  return theirs.some(({ isAway }) => isAway) || (theirs.length > 0 && theirs.every(({ isIdle }) => isIdle === true));
}

/** Whoever wants to be shown as away is nobody whom a visitor would find. */
function someAgent(team: TeamPeople): boolean {
  return [...team.here.keys(), ...team.elsewhere.keys()].some(
    (key) => key.startsWith("agent:") && !personAt(team, key)?.isAway,
  );
}

function typingFrame(listener: Listener, conversationId: string, { agent }: WhoTypes, isTyping: boolean) {
  const frame: TypingNowFrame = {
    type: "typing",
    conversation_id: conversationId,
    from: listener.eye.kind === "visitor" ? "visitor" : "agent",
    agent: agent ? presentFace(agent) : null,
    typing: isTyping,
  };
  return frame;
}
