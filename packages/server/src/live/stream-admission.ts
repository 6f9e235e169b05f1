import { Refusal, rateLimited } from "@frontdesk/core/domain/refusal";
import type { StrangerAct, StrangerBounds } from "../limits/stranger-bounds.ts";
import {
  type Credentials,
  identifySubscriber,
  isVisitorToken,
  type Subscriber,
  type SubscriberChecks,
} from "./subscriber.ts";

/** Streams at once of one API key or session; those of visitors are in the table of bounds. */
const MOST_OF_KEY = 100;
/** After this long a slot may be free: a guess. */
const SLOT_RETRY_SECONDS = 5;

export interface StreamAdmission {
  /** @throws Refusal when the token is not good for a stream, or too many are opened */
  admit(credentials: Credentials, address: string): Promise<Subscriber>;
  /** @throws Refusal when the token is not good for a stream */
  identify(credentials: Credentials, address: string): Promise<Subscriber>;
  /**
   * Takes a slot among the streams of the same token and team.
   *
   * @throws Refusal when there are too many
   */
  takeSlot(subscriber: Subscriber): () => void;
  /** Counts what a visitor's stream asks for; false when it is too much. */
  count(subscriber: Subscriber, address: string, act: StrangerAct): Promise<boolean>;
}

export interface AdmissionParts {
  authenticate: SubscriberChecks;
  /** What to do with an invalid token: it always throws. */
  wrongKey(error: unknown, address: string | undefined): Promise<never>;
  bounds: StrangerBounds;
}

/** Decides who may open a stream, and how many. */
export function streamAdmission({ authenticate, wrongKey, bounds }: AdmissionParts): StreamAdmission {
  /** Of keys and sessions. */
  const inUse = new Map<string, number>();

  return {
    async admit(credentials, address) {
      // By address first: it bounds the look-ups of unknown tokens.
      if (isVisitorToken(credentials.token)) await bounds.take({ address }, { hellos: 1 });
      const subscriber = await identify(credentials, address);
      if (subscriber.viewer.kind === "visitor") await bounds.take({ token: subscriber.key }, { hellos: 1 });
      return subscriber;
    },
    identify,
    takeSlot({ key, viewer, teamId }) {
      if (viewer.kind === "visitor") return bounds.enter({ token: key, team: teamId }, "streams");
      const taken = inUse.get(key) ?? 0;
      if (taken >= MOST_OF_KEY) throw rateLimited(SLOT_RETRY_SECONDS);
      inUse.set(key, taken + 1);
      return () => {
        const left = (inUse.get(key) ?? 1) - 1;
        if (left > 0) inUse.set(key, left);
        else inUse.delete(key);
      };
    },
    count: ({ key }, address, act) =>
      bounds.take({ address, token: key }, { [act]: 1 }).then(
        () => true,
        () => false,
      ),
  };

  async function identify(credentials: Credentials, address: string): Promise<Subscriber> {
    try {
      return await identifySubscriber(authenticate, credentials);
    } catch (error) {
      if (!isVisitorToken(credentials.token)) return wrongKey(error, address);
      if (error instanceof Refusal && error.reason.name === "not-authenticated") {
        await bounds.take({ address }, { "unknown-tokens": 1 });
      }
      throw error;
    }
  }
}
