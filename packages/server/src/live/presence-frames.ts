import type { PresenceFrame, TeamPresenceFrame } from "@frontdesk/core/contract/live";
import type { Timeouts } from "../timeouts.ts";
import { isoTime } from "../timestamp.ts";
import type { Subscriber } from "./subscriber.ts";
import { hasAgentOnline, isThere, keyOf, type Person, personAt, plain, type TeamPresence } from "./team-presence.ts";

/** Changes within this time are sent together. */
const SEND_AFTER_MS = 200;
/** People in one frame. */
export const PEOPLE_A_FRAME = 200;

/** Sends a team's presence to its streams. */
export interface PresenceSender {
  /** Sends all presence to one agent's stream, in frames that wait for a slow reader. */
  whole(
    team: TeamPresence,
    subscriber: Subscriber,
    sendAndWait: (frame: object) => Promise<void> | undefined,
  ): Promise<void>;
  /** Sends a person's change together with others of the next moment. */
  later(team: TeamPresence, person: Person): void;
  forget(team: TeamPresence): void;
}

/** @param onSent called before changes are sent, with the changed people as they are now */
export function presenceSender(
  timeouts: Timeouts,
  onSent: (team: TeamPresence, people: Person[]) => void,
): PresenceSender {
  /** By team, the people changed since the last frame, as last seen. */
  const changed = new Map<TeamPresence, { people: Map<string, Person>; cancel: () => void }>();

  return {
    async whole(team, subscriber, sendAndWait) {
      const keys = [...team.here.keys(), ...team.elsewhere.keys()];
      let whole = true;
      do {
        const people = keys.splice(0, PEOPLE_A_FRAME).flatMap((key) => personAt(team, key) ?? []);
        // Read for each frame: a change since the first frame must not be sent in its old state.
        await sendAndWait(presenceFrame(team, people, whole));
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

/** To a visitor. Computed when a person changes, and not for each visitor who connects. */
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
