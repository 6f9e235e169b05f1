import type { PresenceFrame, TeamPresenceFrame } from "@frontdesk/core/contract/live";
import type { Timeouts } from "../timeouts.ts";
import { isoTime } from "../timestamp.ts";
import type { Subscriber } from "./subscriber.ts";
import { hasAgentOnline, isThere, keyOf, type Person, personAt, plain, type TeamPresence } from "./team-presence.ts";

/** Changes are sent together. */
const SEND_AFTER_MS = 200;
/** People in one frame. */
export const PEOPLE_A_FRAME = 200;

/** Sends a team's presence to its streams. */
export interface PresenceSender {
  /** All who are there, to one agent's stream; as frames that wait for a slow reader. */
  whole(
    team: TeamPresence,
    subscriber: Subscriber,
    sayInTurn: (frame: object) => Promise<void> | undefined,
  ): Promise<void>;
  /** Somebody has changed: sent with what else changes in the next moment. */
  later(team: TeamPresence, person: Person): void;
  forget(team: TeamPresence): void;
}

/** @param onSent who has changed, once it was sent: as they are now, of those who are here or were */
export function presenceSender(
  timeouts: Timeouts,
  onSent: (team: TeamPresence, people: Person[]) => void,
): PresenceSender {
  /** By team, who has changed since the last frame, as they were last seen. */
  const changed = new Map<TeamPresence, { people: Map<string, Person>; cancel: () => void }>();

  return {
    async whole(team, subscriber, sayInTurn) {
      const keys = [...team.here.keys(), ...team.elsewhere.keys()];
      let whole = true;
      do {
        const people = keys.splice(0, PEOPLE_A_FRAME).flatMap((key) => personAt(team, key) ?? []);
        // As they are at this moment: what has changed since the first frame must not be sent as it was.
        await sayInTurn(presenceFrame(team, people, whole));
        whole = false;
      } while (keys.length > 0 && team.streams.has(subscriber));
    },
    later(team, person) {
      const waiting = changed.get(team) ?? {
        people: new Map(),
        cancel: timeouts.after(SEND_AFTER_MS, () => sendChanges(team)),
      };
      changed.set(team, waiting);
      waiting.people.set(keyOf(person), plain(person));
    },
    forget(team) {
      changed.get(team)?.cancel();
      changed.delete(team);
    },
  };

  function sendChanges(team: TeamPresence): void {
    const waiting = changed.get(team)?.people ?? new Map<string, Person>();
    changed.delete(team);
    const people = [...waiting].map(([key, person]) => personAt(team, key) ?? person);
    onSent(team, people);
    while (people.length > 0) {
      const frame = presenceFrame(team, people.splice(0, PEOPLE_A_FRAME), false);
      for (const [subscriber, say] of team.streams) if (subscriber.viewer.kind === "agent") say(frame);
    }
    const teamOnline = hasAgentOnline(team);
    if (teamOnline === team.teamOnline) return;
    team.teamOnline = teamOnline;
    for (const [subscriber, say] of team.streams)
      if (subscriber.viewer.kind === "visitor") say(teamPresenceFrame(team));
  }
}

/** To a visitor. It is found out when a person changes, and not for each visitor who comes. */
export const teamPresenceFrame = ({ teamOnline }: TeamPresence): TeamPresenceFrame => ({
  type: "presence",
  team_online: teamOnline,
});

function presenceFrame(team: TeamPresence, people: readonly Person[], whole: boolean): PresenceFrame {
  const status = (person: Person) => (isThere(team, keyOf(person)) ? "online" : "offline");
  const agentStatus = (person: Person) => (person.isAway && status(person) === "online" ? "away" : status(person));
  const ofKind = (wanted: Person["kind"]) => people.filter(({ kind }) => kind === wanted);
  return {
    type: "presence",
    whole,
    contacts: ofKind("contact").map((person) => ({
      id: person.id,
      online_status: status(person),
      last_active_at: isoTime(person.seenAt),
      page: person.page,
    })),
    agents: ofKind("agent").map((person) => ({ id: person.id, online_status: agentStatus(person) })),
  };
}
