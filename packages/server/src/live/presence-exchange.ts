import type { TypingNowFrame } from "@frontdesk/core/contract/live";
import type { PubSub } from "../pub-sub.ts";
import type { Person } from "./team-presence.ts";

const TOPIC = "people";
/** People in one message. */
const AT_A_TIME = 200;

/** What processes tell one another of a team. */
export type PresenceWord =
  | { kind: "here" | "gone"; people: Person[] }
  /** Who of this team is with you? */
  | { kind: "ask" }
  | { kind: "typing"; contactId: string; frame: TypingNowFrame };

export interface PresenceExchange {
  say(teamId: string, word: PresenceWord): void;
}

/**
 * Presence and typing between the processes with the same Redis; without one a process knows its own people alone.
 *
 * @param processId of this process, unlike any other
 * @param hear what another process, `from`, says
 */
export function presenceExchange(
  pubSub: PubSub,
  processId: string,
  hear: (teamId: string, from: string, word: PresenceWord) => void,
): PresenceExchange {
  pubSub.subscribe(TOPIC, (text) => {
    const { from, team, ...word } = JSON.parse(text) as PresenceWord & { from: string; team: string };
    if (from !== processId) hear(team, from, word as PresenceWord);
  });

  return {
    say(teamId, word) {
      const people = "people" in word ? word.people : [];
      if (people.length <= AT_A_TIME) return send(teamId, word);
      for (let first = 0; first < people.length; first += AT_A_TIME) {
        send(teamId, { ...word, people: people.slice(first, first + AT_A_TIME) } as PresenceWord);
      }
    },
  };

  function send(teamId: string, word: PresenceWord): void {
    pubSub.publish(TOPIC, JSON.stringify({ from: processId, team: teamId, ...word }));
  }
}
