import type { SignInBySso } from "@frontdesk/core/contract/session";
import { notFound } from "@frontdesk/core/domain/refusal";
import { domainOfEmail, type SsoPreset } from "@frontdesk/core/domain/sso";
import type { AgentActor } from "../access/actor.ts";
import { type AskProvider, away, type SsoSignInParts, systemOf } from "./ask-provider.ts";
import type { BegunOidc } from "./oidc-client.ts";
import { beginOwnSso, beginSso, beginSsoTest, findSso, type OpenedProvider } from "./open-sso-provider.ts";
import { type BegunSso, ownPath, SSO_COOKIE_MS, sealSsoCookie } from "./sso-cookie.ts";
import { providerKey, redirectUri } from "./sso-provider.ts";
import { providersToShow, teamOfDomain } from "./sso-store.ts";
import { beginSsoProof } from "./verify-by-sso.ts";

const SECRET_BYTES = 32;
/** More than a team can have, so that a second team is seen. */
const MOST_SHOWN = 11;

/** Where the browser goes, and the cookie with which it comes back. */
export interface SsoBegin {
  url: string;
  cookie: string;
}

/** Sends browsers to providers: to sign in, for a test, to link an account, and for a proof. */
export function createSsoBegin(parts: SsoSignInParts, ask: AskProvider) {
  const { storage, perform, requests, vault, now, random, publicUrl } = parts;
  return {
    /** For the sign-in page: the providers of the only team that has any; with several, an e-mail says which. */
    async toShow(): Promise<SignInBySso> {
      const rows = await storage.read((db) => db.all(providersToShow, { limit: MOST_SHOWN }));
      const isOneTeam = rows.every(({ team_id }) => team_id === rows[0]?.team_id);
      const providers = rows.map((row) => ({ id: providerKey(row), name: row.name, preset: row.preset as SsoPreset }));
      return { providers: isOneTeam ? providers : [], by_email: rows.length > 0 };
    },

    /** @throws Refusal `not-found` without a provider, `unavailable` for one that does not answer */
    async begin(asked: {
      provider?: string | undefined;
      email?: string | undefined;
      next?: string | undefined;
      ip: string;
    }) {
      const key = asked.provider ?? (await providerOfEmail(asked.email ?? "", asked.ip));
      const door = systemOf(key, asked.ip);
      const opened = await perform(door, beginSso, { provider: key });
      return beginAt(opened, { purpose: "sign-in", email: asked.email, next: asked.next });
    },

    /** An owner tries a provider. */
    async beginTest(agent: AgentActor, provider: string): Promise<SsoBegin> {
      const opened = await perform(agent, beginSsoTest, { provider });
      return beginAt(opened, { purpose: "test", sessionId: agent.sessionId });
    },

    /** An agent links their account at a provider. */
    async beginLink(agent: AgentActor, provider: string): Promise<SsoBegin> {
      const opened = await perform(agent, beginOwnSso, { provider });
      return beginAt(opened, { purpose: "link", sessionId: agent.sessionId, next: "/settings/profile" });
    },

    /** An agent proves at the provider that they are there now. */
    async beginProof(agent: AgentActor): Promise<SsoBegin> {
      const opened = await perform(agent, beginSsoProof, {});
      return beginAt(opened, { purpose: "verify", sessionId: agent.sessionId });
    },
  };

  async function beginAt(
    opened: OpenedProvider,
    asked: { purpose: BegunSso["purpose"]; sessionId?: string; email?: string | undefined; next?: string | undefined },
  ): Promise<SsoBegin> {
    const text = () => random(SECRET_BYTES).toString("base64url");
    const begun: BegunOidc = { state: text(), nonce: text(), verifier: text() };
    const answer = await ask(() =>
      requests.signInUrl(opened.oidc, {
        ...{ redirectUri: redirectUri(publicUrl, opened.key), begun, email: asked.email },
        again: asked.purpose === "verify",
      }),
    );
    if ("problem" in answer) throw away();
    const { purpose, sessionId = "" } = asked;
    const content = { ...begun, provider: opened.key, next: ownPath(asked.next), until: now() + SSO_COOKIE_MS };
    const whole: BegunSso = purpose === "sign-in" ? { ...content, purpose } : { ...content, purpose, sessionId };
    return { url: answer.url, cookie: sealSsoCookie(vault, whole) };
  }

  async function providerOfEmail(email: string, ip: string): Promise<string> {
    const domain = domainOfEmail(email.trim());
    const found = domain && (await storage.first(teamOfDomain, { domain }));
    const door = found && { kind: "system" as const, teamId: found.team_id, ip };
    const provider = door && (await perform(door, findSso, {}));
    if (!provider) throw notFound("sso-provider");
    return providerKey(provider);
  }
}
