import { foldText } from "@frontdesk/core/domain/folded-text";
import { notAuthenticated, rateLimited } from "@frontdesk/core/domain/refusal";
import { domainOfEmail } from "@frontdesk/core/domain/sso";
import type { SystemActor } from "../access/actor.ts";
import { hashPassword, passwordFits } from "../access/password.ts";
import { agentById } from "../agents/agent-store.ts";
import type { Perform } from "../perform.ts";
import type { Storage } from "../storage/database.ts";
import { requestPasswordReset } from "./request-password-reset.ts";
import { agentsByEmail } from "./session-store.ts";
import { noteFailedSignIn } from "./start-session.ts";

/** The agent whose e-mail and password were given. */
export interface AgentWithPassword {
  teamId: string;
  agentId: string;
  /** The hash that the password fits. */
  passwordHash: string;
}

export interface SignInParts {
  storage: Storage;
  perform: Perform;
  /** Called when work in the background has failed. */
  onFailure(error: unknown): void;
  /** How a password is compared; counted by tests. */
  fits?: typeof passwordFits;
}

/** Sign-ins checked at once, so that guesses from many addresses cannot keep all threads busy for long. */
const MOST_AT_ONCE = 32;

/** Finds agents by e-mail over all teams, before an agent is signed in. */
export type SignIn = ReturnType<typeof createSignIn>;

export function createSignIn({ storage, perform, onFailure, fits = passwordFits }: SignInParts) {
  let decoy: Promise<string> | undefined;
  let underWay = 0;

  return {
    /**
     * The agent with this e-mail and password; of several teams, in the oldest one where the password fits. Neither the
     * answer nor its time shows whether the e-mail is known: there is one read, and a password is compared in any case.
     *
     * @throws Refusal `not-authenticated`, and `rate-limited` when too many sign in at this moment
     */
    whoIs: (asked: { email: string; password: string; ip: string }): Promise<AgentWithPassword> =>
      atOnce(() => compare(asked)),

    /**
     * The agent, if it is their password; also where they sign in by single sign-on alone.
     *
     * @throws as `whoIs`
     */
    isTheirPassword: ({ password, ...asked }: { teamId: string; agentId: string; password: string; ip: string }) =>
      atOnce(async (): Promise<AgentWithPassword> => {
        const { teamId, agentId, ip } = asked;
        const agent = await storage.first(agentById, { team_id: teamId, id: agentId });
        if (agent?.password_hash != null && (await fits(agent.password_hash, password))) {
          return { teamId, agentId, passwordHash: agent.password_hash };
        }
        perform(signInActor(teamId, ip), noteFailedSignIn, { agentId }).catch(onFailure);
        throw notAuthenticated("sign-in");
      }),

    /** Sends a link to every agent with this e-mail. Answers before that, and the same whether there is one or not. */
    async sendPasswordResets({
      email,
      ip,
      resetUrl,
    }: {
      email: string;
      ip: string;
      resetUrl: (token: string) => string;
    }): Promise<void> {
      for (const { team_id, id } of await agentsBy(email)) {
        const asked = { agentId: id, resetUrl, mail: true };
        perform(signInActor(team_id, ip), requestPasswordReset, asked).catch(onFailure);
      }
    },
  };

  async function atOnce<T>(check: () => Promise<T>): Promise<T> {
    if (underWay >= MOST_AT_ONCE) throw rateLimited(1);
    underWay += 1;
    try {
      return await check();
    } finally {
      underWay -= 1;
    }
  }

  async function compare({ email, password, ip }: { email: string; password: string; ip: string }) {
    decoy ??= hashPassword("nobody's");
    const decoyHash = await decoy;
    const agents = await agentsBy(email);
    const known = agents.flatMap(({ team_id, id, password_hash }): AgentWithPassword[] =>
      password_hash === null ? [] : [{ teamId: team_id, agentId: id, passwordHash: password_hash }],
    );
    const hashes = known.length > 0 ? known.map(({ passwordHash }) => passwordHash) : [decoyHash];
    const right = await Promise.all(hashes.map((hash) => fits(hash, password)));
    const agent = known.find((_agent, index) => right[index]);
    if (agent) return agent;
    // Not awaited, so that the answer takes no longer.
    for (const { team_id, id } of agents) {
      perform(signInActor(team_id, ip), noteFailedSignIn, { agentId: id }).catch(onFailure);
    }
    throw notAuthenticated("sign-in");
  }

  function agentsBy(email: string) {
    const domain = domainOfEmail(email.trim()) ?? "";
    return storage.read((db) => db.all(agentsByEmail, { email_folded: foldText(email.trim()), domain }));
  }
}

/** No agent is signed in yet, so the system acts. */
function signInActor(teamId: string, ip: string): SystemActor {
  return { kind: "system", teamId, ip };
}
