import type { LivePage } from "@frontdesk/core/contract/live";
import type { Timeouts } from "../timeouts.ts";
import type { PresenceExchange } from "./presence-exchange.ts";
import type { PresenceSender } from "./presence-frames.ts";
import type { PresenceTeams } from "./presence-teams.ts";
import type { Subscriber } from "./subscriber.ts";
import { isAwayHere, isThere, keyOf, type Person, type PersonHere, plain, type TeamPresence } from "./team-presence.ts";

/** How long a person stays online after their last stream has ended: changing pages is not leaving. */
const GRACE_MS = 5_000;

/** The people with streams in this process. */
export interface LocalPresence {
  streamOpened(team: TeamPresence, person: Person): void;
  streamClosed(team: TeamPresence, person: Person): void;
  awayChanged(subscriber: Subscriber): void;
  visits(subscriber: Subscriber, page: LivePage | null): void;
  /** Publishes the changed pages of these people to the other processes; their own streams were sent them. */
  publishPages(team: TeamPresence, people: readonly Person[]): void;
  /** Publishes all people of this process to the other processes. */
  publishAll(team: TeamPresence): void;
  /** Notes all people here, so that their rows are not taken for those of a dead process. */
  renew(team: TeamPresence): void;
  /** Takes all offline without a grace period: the process stops. */
  removeAll(team: TeamPresence): void;
}

export interface LocalPresenceParts {
  teams: PresenceTeams;
  sender: PresenceSender;
  exchange: PresenceExchange;
  /** Ms since the epoch. */
  now(): number;
  timeouts: Timeouts;
}

/**
 * A person, as this process sees them:
 *
 * ```
 *                 first stream                      last stream ends
 *   offline ------------------------> online --------------------------> leaving
 *     ^                                 ^                                  |  |
 *     |                                 '---------- a stream again --------'  |
 *     '---------------------------------------------------------- 5 s --------'
 * ```
 */
export function localPresence({ teams, sender, exchange, now, timeouts }: LocalPresenceParts): LocalPresence {
  /** People whose page has changed: published to other processes with the next frame. */
  const changedPages = new Set<PersonHere>();

  return {
    streamOpened(team, person) {
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
      exchange.publish(team.teamId, { kind: "here", people: [person] });
      teams.notesOf(team).person(person);
      if (isNew) sender.later(team, person);
    },
    streamClosed(team, person) {
      const here = team.here.get(keyOf(person));
      if (!here) return;
      here.streams -= 1;
      here.seenAt = now();
      if (here.streams > 0) return;
      here.stay = timeouts.after(GRACE_MS, () => {
        remove(team, here);
        teams.removeIdle(team);
      });
    },
    awayChanged({ teamId, agentId }) {
      const team = teams.find(teamId);
      const here = agentId === undefined ? undefined : team?.here.get(keyOf({ kind: "agent", id: agentId }));
      if (!team || !here || here.streams === 0) return;
      const isAway = isAwayHere(team, here.id);
      if (here.isAway === isAway) return;
      here.isAway = isAway;
      here.seenAt = now();
      teams.notesOf(team).person(here);
      sender.later(team, here);
      exchange.publish(teamId, { kind: "here", people: [plain(here)] });
    },
    visits({ teamId, viewer }, page) {
      const team = teams.find(teamId);
      const here = viewer.kind === "visitor" && team?.here.get(keyOf({ kind: "contact", id: viewer.contactId }));
      if (!team || !here) return;
      if (here.page?.url === page?.url && here.page?.title === page?.title) return;
      const isOther = here.page?.url !== page?.url;
      here.page = page;
      here.seenAt = now();
      changedPages.add(here);
      sender.later(team, here);
      if (page && isOther) teams.notesOf(team).page(here.id, page.url);
    },
    publishPages(team, people) {
      const changed = people.flatMap((person) => {
        const here = team.here.get(keyOf(person));
        return here && changedPages.delete(here) ? [plain(here)] : [];
      });
      if (changed.length > 0) exchange.publish(team.teamId, { kind: "here", people: changed });
    },
    publishAll(team) {
      exchange.publish(team.teamId, { kind: "here", people: [...team.here.values()].map(plain) });
    },
    renew(team) {
      for (const person of team.here.values()) {
        if (person.streams > 0) person.seenAt = now();
        teams.notesOf(team).person(person);
      }
    },
    removeAll(team) {
      for (const person of [...team.here.values()]) remove(team, person);
    },
  };

  function remove(team: TeamPresence, here: PersonHere): void {
    here.stay?.();
    changedPages.delete(here);
    team.here.delete(keyOf(here));
    const person = plain(here);
    exchange.publish(team.teamId, { kind: "gone", people: [person] });
    if (isThere(team, keyOf(here))) return;
    teams.notesOf(team).person(person);
    sender.later(team, person);
  }
}
