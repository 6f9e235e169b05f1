import type { DraftFrame } from "@frontdesk/core/contract/live";
import type { DraftAtOnce } from "../ai/turn/show-draft.ts";
import type { DraftOfTurn } from "../ai/turn/turn.ts";
import { presentFace } from "../conversations/present-face.ts";
import type { PubSub } from "../pub-sub.ts";
import type { Subscriber } from "./subscriber.ts";
import type { Say } from "./team-presence.ts";

const TOPIC = "ai-drafts";
/** How often a draft is looked at again, since the log has gone on meanwhile. Then its streams wait for the next sentence. */
const LOOKS = 4;

/** What the built-in AI is about to say, in every process. Never stored, never replayed: a lost one is made up for by the message. */
export interface AiDrafts {
  /**
   * A stream is live: it gets the drafts of its conversations. Returns what to call when it ends.
   *
   * @param at the number up to which the stream was sent the log
   */
  arrive(subscriber: Subscriber, say: Say, at: () => number): () => void;
  /** @param text "" withdraws what was shown */
  publish(teamId: string, of: DraftOfTurn, text: string): void;
}

export interface AiDraftsParts {
  pubSub: PubSub;
  /** Unique to this process. */
  processId: string;
  /** Ms since the epoch. */
  now(): number;
  /** @throws Refusal when the conversation does not exist */
  showDraft(teamId: string, of: DraftOfTurn): Promise<DraftAtOnce>;
}

interface DraftMessage extends DraftOfTurn {
  team: string;
  seq: number;
  text: string;
}

/**
 * A stream is sent a draft only where it was sent nothing of the log yet that takes the word from the AI: the process of the
 * stream itself looks whether the turn could still say it, and says it in the same moment
 * (docs/decisions/0085-drafts-of-answers.md).
 */
export function createAiDrafts({ pubSub, processId, now, showDraft }: AiDraftsParts): AiDrafts {
  const teams = new Map<string, Map<Subscriber, { say: Say; at(): number }>>();
  /** By conversation: drafts are sent one after the other. */
  const sending = new Map<string, Promise<void>>();
  let lastSeq = 0;

  pubSub.subscribe(TOPIC, (text) => {
    const { from, ...message } = JSON.parse(text) as DraftMessage & { from: string };
    if (from !== processId) receive(message);
  });

  return {
    arrive(subscriber, say, at) {
      const { teamId } = subscriber;
      const streams = teams.get(teamId) ?? new Map();
      teams.set(teamId, streams.set(subscriber, { say, at }));
      return () => {
        streams.delete(subscriber);
        if (streams.size === 0) teams.delete(teamId);
      };
    },
    publish(team, of, text) {
      lastSeq = Math.max(lastSeq + 1, now());
      const message: DraftMessage = { ...of, team, seq: lastSeq, text };
      receive(message);
      pubSub.publish(TOPIC, JSON.stringify({ from: processId, ...message }));
    },
  };

  function receive(message: DraftMessage): void {
    const { team, conversationId } = message;
    if (!teams.has(team)) return;
    const before = sending.get(conversationId) ?? Promise.resolve();
    // One that cannot be looked at is not shown.
    const sent = before
      .then(() => send(message))
      .catch(() => {})
      .finally(() => {
        if (sending.get(conversationId) === sent) sending.delete(conversationId);
      });
    sending.set(conversationId, sent);
  }

  async function send(message: DraftMessage): Promise<void> {
    const { team, text } = message;
    const sentTo = new Set<Subscriber>();
    for (let look = 0; look < LOOKS; look += 1) {
      const { stands, number, contactId, agent } = await showDraft(team, message);
      if (text !== "" && !stands) return;
      const frame = draftFrame(message, agent);
      let isOvertaken = false;
      for (const [subscriber, { say, at }] of teams.get(team) ?? []) {
        const { viewer } = subscriber;
        if (sentTo.has(subscriber) || (viewer.kind === "visitor" && viewer.contactId !== contactId)) continue;
        if (text !== "" && at() > number) isOvertaken = true;
        else {
          sentTo.add(subscriber);
          say(frame);
        }
      }
      if (!isOvertaken) return;
    }
  }
}

const draftFrame = ({ conversationId, seq, text, upto }: DraftMessage, agent: DraftAtOnce["agent"]): DraftFrame => ({
  ...{ type: "draft", conversation_id: conversationId, seq, text, after: upto },
  agent: agent ? presentFace(agent) : null,
});
