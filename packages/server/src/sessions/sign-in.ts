import { foldText } from "@frontdesk/core/domain/folded-text";
import { notAuthenticated, rateLimited } from "@frontdesk/core/domain/refusal";
import type { SystemActor } from "../access/actor.ts";
import { hashPassword, passwordFits } from "../access/password.ts";
import type { Perform } from "../perform.ts";
import type { Storage } from "../storage/database.ts";
import { requestPasswordReset } from "./request-password-reset.ts";
import { peopleWhoSignIn } from "./session-store.ts";
import { noteFailedSignIn } from "./start-session.ts";

/** Whose e-mail and password it is. */
export interface KnownPerson {
  teamId: string;
  agentId: string;
  /** The hash that the password fits. */
  passwordHash: string;
}

export interface SignInParts {
  storage: Storage;
  perform: Perform;
  /** Something that nobody waits for went wrong. */
  onFailure(error: unknown): void;
  /** How a password is compared; counted by tests. */
  fits?: typeof passwordFits;
}

/** Sign-ins that are looked at together, so that many who guess from many places cannot keep all threads busy for long. */
const MOST_AT_ONCE = 32;

/** What is known of people by their e-mail alone, over all teams, before anybody is signed in. */
export type SignIn = ReturnType<typeof createSignIn>;

export function createSignIn({ storage, perform, onFailure, fits = passwordFits }: SignInParts) {
  let nobodysHash: Promise<string> | undefined;
  let underWay = 0;

  return {
    /**
     * Who signs in with this e-mail and password: of several teams the oldest one where the password fits. Whether anybody
     * has the e-mail shows neither in the answer nor in the time: there is one read, and a password is compared in any case.
     *
     * @throws Refusal `not-authenticated`, and `rate-limited` when too many sign in at this moment
     */
    async whoIs(asked: { email: string; password: string; ip: string }): Promise<KnownPerson> {
      if (underWay >= MOST_AT_ONCE) throw rateLimited(1);
      underWay += 1;
      try {
        return await compare(asked);
      } finally {
        underWay -= 1;
      }
    },

    /** Has a link sent to everybody who has this e-mail. Answers before, and the same, whether there is anybody or not. */
    async sendPasswordResets({
      email,
      ip,
      resetUrl,
    }: {
      email: string;
      ip: string;
      resetUrl: (token: string) => string;
    }): Promise<void> {
      for (const { team_id, id } of await peopleBy(email)) {
        const asked = { agentId: id, resetUrl, mail: true };
        perform(somebodyAt(team_id, ip), requestPasswordReset, asked).catch(onFailure);
      }
    },
  };

  async function compare({ email, password, ip }: { email: string; password: string; ip: string }) {
    nobodysHash ??= hashPassword("nobody's");
    const nobody = await nobodysHash;
    const people = await peopleBy(email);
    const known = people.flatMap(({ team_id, id, password_hash }): KnownPerson[] =>
      password_hash === null ? [] : [{ teamId: team_id, agentId: id, passwordHash: password_hash }],
    );
    const hashes = known.length > 0 ? known.map(({ passwordHash }) => passwordHash) : [nobody];
    const right = await Promise.all(hashes.map((hash) => fits(hash, password)));
    const person = known.find((_person, index) => right[index]);
    if (person) return person;
    // Beside the answer, which takes no longer for it.
    for (const { team_id, id } of people) {
      perform(somebodyAt(team_id, ip), noteFailedSignIn, { agentId: id }).catch(onFailure);
    }
    throw notAuthenticated("sign-in");
  }

  function peopleBy(email: string) {
    return storage.read((db) => db.all(peopleWhoSignIn, { email_folded: foldText(email.trim()) }));
  }
}

/** Nobody is signed in yet: what is done then, the service does. */
function somebodyAt(teamId: string, ip: string): SystemActor {
  return { kind: "system", teamId, ip };
}
