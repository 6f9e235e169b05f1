import type { TypingNowFrame } from "@frontdesk/core/contract/live";
import type { PubSub } from "../pub-sub.ts";
import type { Person } from "./team-presence.ts";

const TOPIC = "people";
/** People in one message. */
const AT_A_TIME = 200;

/** What processes publish about a team. */
export type PresenceMessage =
  | { kind: "here" | "gone"; people: Person[] }
  /** Every process publishes the people of this team that it has. */
  | { kind: "ask" }
  | { kind: "typing"; contactId: string | null; frame: TypingNowFrame };

export interface PresenceExchange {
  publish(teamId: string, message: PresenceMessage): void;
}

/**
 * Presence and typing between the processes with the same Redis; without Redis a process knows only its own people.
 *
 * @param processId unique to this process
 * @param receive called with what the process `from` has published
 */
export function presenceExchange(
  pubSub: PubSub,
  processId: string,
  receive: (teamId: string, from: string, message: PresenceMessage) => void,
): PresenceExchange {
  pubSub.subscribe(TOPIC, (text) => {
    const { from, team, ...message } = JSON.parse(text) as PresenceMessage & { from: string; team: string };
    if (from !== processId) receive(team, from, message as PresenceMessage);
  });

  return {
    publish(teamId, message) {
      const people = "people" in message ? message.people : [];
      if (people.length <= AT_A_TIME) return send(teamId, message);
      for (let first = 0; first < people.length; first += AT_A_TIME) {
        send(teamId, { ...message, people: people.slice(first, first + AT_A_TIME) } as PresenceMessage);
      }
    },
  };

  function send(teamId: string, message: PresenceMessage): void {
    pubSub.publish(TOPIC, JSON.stringify({ from: processId, team: teamId, ...message }));
  }
}
