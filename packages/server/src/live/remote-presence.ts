import type { PresenceSender } from "./presence-frames.ts";
import type { PresenceTeams } from "./presence-teams.ts";
import { isThere, keyOf, type Person, personAt, type TeamPresence } from "./team-presence.ts";

/** A person whom no process has named for this long was left behind by a dead process. */
export const PRESENCE_LEASE_MS = 150_000;

/** The people with streams in other processes, as those have published them. */
export interface RemotePresence {
  /** A process has a person: new there, changed, or still there. */
  isAt(team: TeamPresence, process: string, person: Person): void;
  /** A person has no more streams in that process. */
  hasLeft(team: TeamPresence, process: string, person: Person): void;
  /** Takes people offline whose processes have not named them for `PRESENCE_LEASE_MS`. */
  endLeases(team: TeamPresence): void;
}

export interface RemotePresenceParts {
  teams: PresenceTeams;
  sender: PresenceSender;
  /** Ms since the epoch. */
  now(): number;
  /** The same, but steady: for leases. */
  steadyNow(): number;
}

/**
 * A person, as this process knows them from one other:
 *
 * ```
 *              named                       says that they left, or names them no more for 150 s
 *   unknown ----------> online, leased ----------------------------------------------------------> unknown
 *                         |      ^
 *                         '------' named again
 * ```
 */
export function remotePresence({ teams, sender, now, steadyNow }: RemotePresenceParts): RemotePresence {
  return {
    isAt(team, process, person) {
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
    },
    hasLeft(team, process, person) {
      const key = keyOf(person);
      const processes = team.elsewhere.get(key);
      processes?.delete(process);
      if (processes?.size === 0) team.elsewhere.delete(key);
      // An active agent there may have left only unused screens behind.
      if (!isThere(team, key) || person.kind === "agent") sender.later(team, person);
      // The other process has noted that they left, and does not know that they are here.
      if (team.here.has(key)) teams.notesOf(team).person(person);
    },
    endLeases(team) {
      for (const [key, processes] of team.elsewhere) {
        for (const [process, { until }] of processes) if (until < steadyNow()) processes.delete(process);
        if (processes.size > 0) continue;
        team.elsewhere.delete(key);
        if (team.here.has(key)) continue;
        const [kind, id] = key.split(":") as [Person["kind"], string];
        sender.later(team, { kind, id, page: null, isAway: false, seenAt: now() - PRESENCE_LEASE_MS });
      }
    },
  };
}
