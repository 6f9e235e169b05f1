import type { LivePage } from "@frontdesk/core/contract/live";
import type { Subscriber } from "./subscriber.ts";

/** A contact or an agent who is online, as one process has seen them. */
export interface Person {
  kind: "contact" | "agent";
  id: string;
  page: LivePage | null;
  /** Of an agent who is online and has chosen to be away, or has not used their screens for long. */
  isAway: boolean;
  /** When they were last seen, ms since the epoch. */
  seenAt: number;
}

/** A person with streams in this process, or with one that has just ended. */
export interface PersonHere extends Person {
  streams: number;
  /** Cancels that they go offline. */
  stay: (() => void) | undefined;
}

export type Say = (frame: object) => void;

/** A team's presence, as this process knows it. */
export interface TeamPresence {
  teamId: string;
  streams: Map<Subscriber, Say>;
  here: Map<string, PersonHere>;
  /** People of other processes, by person and process, and until when they count as online, by the steady clock. */
  elsewhere: Map<string, Map<string, Person & { until: number }>>;
  /** What visitors were last sent of the team. */
  teamOnline: boolean;
}

export function emptyTeam(teamId: string): TeamPresence {
  return { teamId, streams: new Map(), here: new Map(), elsewhere: new Map(), teamOnline: false };
}

export const keyOf = ({ kind, id }: Pick<Person, "kind" | "id">): string => `${kind}:${id}`;

/** Without what only this process needs. */
export const plain = ({ kind, id, page, isAway, seenAt }: Person): Person => ({ kind, id, page, isAway, seenAt });

export const isThere = (team: TeamPresence, key: string): boolean => team.here.has(key) || team.elsewhere.has(key);

/** The page is that of the latest stream; an agent who is not away in one process is not away. */
export function personAt(team: TeamPresence, key: string): Person | undefined {
  const here = team.here.get(key);
  const known: Person[] = [...(team.elsewhere.get(key)?.values() ?? []), ...(here ? [here] : [])];
  if (known.length === 0) return undefined;
  const latest = known.reduce((last, person) => (person.seenAt >= last.seenAt ? person : last));
  return { ...plain(latest), isAway: known.every(({ isAway }) => isAway) };
}

/** An agent who has chosen to be away is away at every screen; one who uses no screen only when that holds for all of them. */
export function isAwayHere({ streams }: TeamPresence, agentId: string): boolean {
  const theirs = [...streams.keys()].filter((subscriber) => subscriber.agentId === agentId && subscriber.isPerson);
  return theirs.some(({ isAway }) => isAway) || (theirs.length > 0 && theirs.every(({ isIdle }) => isIdle === true));
}

/** Whether a visitor would find an agent online: one who is away does not count. */
export function hasAgentOnline(team: TeamPresence): boolean {
  return [...team.here.keys(), ...team.elsewhere.keys()].some(
    (key) => key.startsWith("agent:") && !personAt(team, key)?.isAway,
  );
}

/** The person whose stream it is; undefined for a program's. */
export function personOf({ viewer, agentId, isPerson, isAway }: Subscriber, seenAt: number): Person | undefined {
  const seen = { page: null, isAway, seenAt };
  if (viewer.kind === "visitor") return { kind: "contact", id: viewer.contactId, ...seen };
  return isPerson && agentId !== undefined ? { kind: "agent", id: agentId, ...seen } : undefined;
}
