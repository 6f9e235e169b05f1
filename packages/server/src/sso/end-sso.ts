import type { SsoTest } from "@frontdesk/core/contract/session-sso";
import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import type { SsoClaims } from "@frontdesk/core/domain/sso";
import type { AgentActor, SystemActor } from "../access/actor.ts";
import type { Browser } from "../factors/known-browser.ts";
import type { OpenedSession, SecondStepAsked } from "../sessions/open-session.ts";
import type { AgentWithPassword } from "../sessions/sign-in.ts";
import { type AskProvider, away, type SsoSignInParts, systemOf } from "./ask-provider.ts";
import type { SsoDecision } from "./decide-sso.ts";
import type { LogoutToken, OidcProblem, OidcSignIn } from "./oidc-client.ts";
import { type OpenedProvider, openSsoProvider } from "./open-sso-provider.ts";
import { linkOwnSso } from "./own-sso.ts";
import { refuseSso, signInBySso, tryProvider } from "./sign-in-by-sso.ts";
import {
  type BegunSso,
  openSsoCookie,
  type PasswordToLink,
  SSO_COOKIE_MS,
  sealSsoCookie,
  withoutOtherClaims,
} from "./sso-cookie.ts";
import { type OidcProvider, redirectUri } from "./sso-provider.ts";
import { verifyBySso } from "./verify-by-sso.ts";

export type SsoEnd =
  | { outcome: "signed-in"; providerName: string; next: string | undefined; session: OpenedSession }
  | { outcome: "second-step"; providerName: string; next: string | undefined; asked: SecondStepAsked }
  | { outcome: "password-needed"; providerName: string; email: string; cookie: string }
  | { outcome: "linked"; providerName: string; next: string | undefined }
  | { outcome: "verified"; providerName: string; token: string }
  | { outcome: "tested"; providerName: string; test: SsoTest };

/** Takes what browsers bring back from providers. */
export function createSsoEnd({ perform, requests, vault, now, publicUrl }: SsoSignInParts, ask: AskProvider) {
  return {
    /**
     * What a provider has sent back with the browser.
     *
     * @param asked.agent who is signed in with this browser
     * @throws Refusal `not-authenticated` with one sentence for whatever is wrong; the audit log says what
     */
    async end(asked: {
      provider: string;
      query: string;
      cookie: string | undefined;
      agent: AgentActor | undefined;
      ip: string;
      browser: Browser;
    }): Promise<SsoEnd> {
      const begun = openSsoCookie(vault, asked.cookie, now());
      if (!begun || begun.purpose === "password" || begun.provider !== asked.provider) throw notAuthenticated("sso");
      const door = systemOf(begun.provider, asked.ip);
      const opened = await perform(door, openSsoProvider, { provider: begun.provider });
      const answer = await ask(() =>
        requests.takeAnswer(opened.oidc, {
          ...{ redirectUri: redirectUri(publicUrl, opened.key), query: asked.query, begun },
          again: begun.purpose === "verify",
        }),
      );
      if ("problem" in answer) return refuse(door, opened, answer.problem, answer.words);
      if (begun.purpose === "sign-in") return signIn(door, opened, begun, answer, asked.browser);
      if (asked.agent?.sessionId !== begun.sessionId) throw notAuthenticated("sso");
      return own(asked.agent, opened, begun, answer);
    },

    /** What a provider reports, read by its keys. */
    readLogout: (provider: OidcProvider, token: string): Promise<LogoutToken | OidcProblem> =>
      ask(() => requests.readLogout(provider, token)),

    /** Whose password is asked for, in this browser. */
    passwordNeeded(cookie: string | undefined): PasswordToLink {
      const content = openSsoCookie(vault, cookie, now());
      if (content?.purpose !== "password") throw notAuthenticated("sso");
      return content;
    },

    /**
     * Links the account after the password, once, and signs in.
     *
     * @throws Refusal `not-authenticated` for another agent's password, and for what has changed meanwhile
     */
    async linkAfterPassword(
      { provider, agentId, signIn, next }: PasswordToLink,
      { agent, ip, browser }: { agent: AgentWithPassword; ip: string; browser: Browser },
    ): Promise<{ session: OpenedSession | SecondStepAsked; next: string | undefined }> {
      if (agent.agentId !== agentId) throw notAuthenticated("sign-in");
      const proven = { agentId, passwordHash: agent.passwordHash };
      const result = await perform(systemOf(provider, ip), signInBySso, { provider, signIn, browser, proven });
      if (result.outcome !== "session" && result.outcome !== "second-step") throw notAuthenticated("sso");
      return { session: result, next };
    },
  };

  async function signIn(
    door: SystemActor,
    { key, name }: OpenedProvider,
    { next }: BegunSso,
    signIn: OidcSignIn,
    browser: Browser,
  ): Promise<SsoEnd> {
    const result = await perform(door, signInBySso, { provider: key, signIn, browser });
    if (result.outcome === "session") return { outcome: "signed-in", providerName: name, next, session: result };
    if (result.outcome === "second-step") return { outcome: "second-step", providerName: name, next, asked: result };
    if (result.outcome === "password-needed") {
      const { id: agentId, email } = result.agent;
      const until = now() + SSO_COOKIE_MS;
      const content = { purpose: "password", provider: key, next, until, agentId, email } as const;
      const cookie = sealSsoCookie(vault, { ...content, signIn: withoutOtherClaims(signIn) });
      return { outcome: "password-needed", providerName: name, email, cookie };
    }
    await perform(door, refuseSso, { provider: key, why: result.why, email: signIn.claims.email });
    throw notAuthenticated(result.why === "deactivated" ? "deactivated" : "sso-account");
  }

  /** The end of what an agent has begun who is signed in. */
  async function own(
    agent: AgentActor,
    opened: OpenedProvider,
    begun: BegunSso,
    { claims }: OidcSignIn,
  ): Promise<SsoEnd> {
    const { key: provider, name: providerName } = opened;
    if (begun.purpose === "link") {
      await perform(agent, linkOwnSso, { provider, claims });
      return { outcome: "linked", providerName, next: begun.next };
    }
    if (begun.purpose === "verify") {
      const { token } = await perform(agent, verifyBySso, { provider, subject: claims.subject });
      return { outcome: "verified", providerName, token };
    }
    const decision = await perform(agent, tryProvider, { provider, claims });
    return { outcome: "tested", providerName, test: presentTest(claims, decision) };
  }

  async function refuse(
    door: SystemActor,
    { key }: OpenedProvider,
    problem: OidcProblem["problem"],
    words: string,
  ): Promise<never> {
    await perform(door, refuseSso, { provider: key, why: words });
    throw problem === "refused" ? notAuthenticated("sso") : away();
  }
}

function presentTest({ subject, email, name, groups }: SsoClaims, decision: SsoDecision): SsoTest {
  const agent = "agent" in decision ? decision.agent : undefined;
  return {
    ...{ subject, email: email ?? null, name: name ?? null, groups: [...groups] },
    result: decision.does,
    problem: decision.does === "refused" ? decision.why : null,
    agent: agent ? (agent.name ?? agent.email) : null,
  };
}
