import { sessionOperations } from "@frontdesk/core/contract/session";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { invalid, Refusal } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AgentActor } from "../../access/actor.ts";
import type { KnownSession } from "../../access/authenticate.ts";
import { tokenHash } from "../../access/token.ts";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";
import type { DomainRecords } from "../../outbound/domain-records.ts";
import { type Perform, requireMay } from "../../perform.ts";
import type { SignIn } from "../../sessions/sign-in.ts";
import {
  createSsoProvider,
  deleteSsoProvider,
  newProviderToLook,
  providerToLook,
  updateSsoProvider,
} from "../../sso/change-sso-provider.ts";
import { getSsoSettings } from "../../sso/get-sso-settings.ts";
import type { OidcProblem, OidcRequests } from "../../sso/oidc-client.ts";
import { listOwnSso, unlinkOwnSso } from "../../sso/own-sso.ts";
import { setBreakGlass } from "../../sso/set-break-glass.ts";
import {
  addSsoDomain,
  domainToProve,
  hasRecord,
  proveSsoDomain,
  removeSsoDomain,
  requireSso,
} from "../../sso/sso-domains.ts";
import { type OidcProvider, requireProviderKey } from "../../sso/sso-provider.ts";
import type { SsoSignIn } from "../../sso/sso-sign-in.ts";
import type { BeginSession } from "./begin-session.ts";
import type { OwnCookies } from "./session-cookie.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

interface SsoRouteServices extends SessionDoors {
  perform: Perform;
  authenticate: { session(token: string | undefined): Promise<KnownSession> };
  sso: SsoSignIn;
  requests: OidcRequests;
  now(): number;
  signIn: SignIn;
  records: DomainRecords;
  bounds: StrangerBounds;
  /** Whether e-mail can be sent. */
  mail: boolean;
  sessions: BeginSession;
  cookies: OwnCookies;
}

/** Single sign-on: its settings, and signing in by it (docs/decisions/0070-single-sign-on.md). */
export async function ssoRoutes(app: FastifyInstance, services: SsoRouteServices): Promise<void> {
  settingsRoutes(app, services);
  signInRoutes(app, services);
}

function settingsRoutes(app: FastifyInstance, services: SsoRouteServices): void {
  const { perform, requests, records, now } = services;
  const serve = sessionEndpoints(app, services);

  serve(sessionOperations.getSsoSettings, ({ agent }) => perform(agent, getSsoSettings, {}));

  serve(sessionOperations.createSsoProvider, async ({ agent, body }) => {
    // First, so that who may not is refused before any server is asked.
    requireMay(agent, "create-sso-provider", now());
    await look(await perform(agent, newProviderToLook, body));
    return perform(agent, createSsoProvider, body);
  });

  serve(sessionOperations.updateSsoProvider, async ({ agent, params: { id }, body: change }) => {
    requireMay(agent, "update-sso-provider", now());
    const moved = await perform(agent, providerToLook, { id, change });
    if (moved) await look(moved);
    return perform(agent, updateSsoProvider, { id, change });
  });

  serve(sessionOperations.deleteSsoProvider, ({ agent, params }) => perform(agent, deleteSsoProvider, params));

  serve(sessionOperations.addSsoDomain, ({ agent, body }) => perform(agent, addSsoDomain, body));

  serve(sessionOperations.proveSsoDomain, async ({ agent, params }) => {
    requireMay(agent, "prove-sso-domain", now());
    const row = await perform(agent, domainToProve, params);
    if (row.proven_at === null && !(await hasRecord(records, row))) throw invalid({ domain: "sso-no-record" });
    await perform(agent, proveSsoDomain, params);
    return perform(agent, getSsoSettings, {});
  });

  serve(sessionOperations.requireSso, ({ agent, params: { domain }, body: { on } }) =>
    perform(agent, requireSso, { domain, on }),
  );

  serve(sessionOperations.removeSsoDomain, ({ agent, params }) => perform(agent, removeSsoDomain, params));

  serve(sessionOperations.setBreakGlass, ({ agent, params, body: { on } }) =>
    perform(agent, setBreakGlass, { agentId: params.id, on }),
  );

  /** @throws Refusal `invalid` on `issuer` when there is no provider */
  async function look(provider: OidcProvider): Promise<void> {
    const answer = await requests.look(provider);
    if (answer) throw invalid({ issuer: reasonOf[answer.problem] });
  }
}

const reasonOf = {
  away: "sso-issuer-away",
  private: "sso-issuer-private",
  "no-provider": "sso-no-provider",
  refused: "sso-no-provider",
} as const satisfies Record<OidcProblem["problem"], string>;

function signInRoutes(app: FastifyInstance, services: SsoRouteServices): void {
  const { perform, authenticate, sso, signIn, bounds, sessions, cookies, mail } = services;
  const serve = sessionEndpoints(app, services);

  serve(sessionOperations.getSignInOptions, async () => ({ sends_mail: mail, sso: await sso.toShow() }));

  serve(sessionOperations.beginSso, async ({ request, reply, body }) => {
    await bounds.take({ address: request.ip }, { "sso-sign-ins": 1 });
    return goingTo(request, reply, await sso.begin({ ...body, ip: request.ip }));
  });

  serve(sessionOperations.testSsoProvider, async ({ request, reply, agent, params }) =>
    goingTo(request, reply, await sso.beginTest(agent, params.id)),
  );

  serve(sessionOperations.linkOwnSso, async ({ request, reply, agent, params }) =>
    goingTo(request, reply, await sso.beginLink(agent, params.id)),
  );

  serve(sessionOperations.proveBySso, async ({ request, reply, agent }) =>
    goingTo(request, reply, await sso.beginProof(agent)),
  );

  serve(sessionOperations.endSso, async ({ request, reply, body: { provider, query } }) => {
    await bounds.take({ address: request.ip }, { "sso-sign-ins": 1 });
    const end = await sso.end({
      ...{ provider, query, cookie: cookies.sso.read(request), agent: await whoIsSignedIn(request) },
      ...{ ip: request.ip, browser: sessions.browserOf(request) },
    });
    if (end.outcome === "password-needed") cookies.sso.set(request, reply, end.cookie);
    else cookies.sso.clear(request, reply);
    if (end.outcome === "signed-in") await sessions.enter(request, reply, end.session);
    if (end.outcome === "verified") sessions.renew(request, reply, end.token);
    const step = end.outcome === "second-step" ? sessions.askSecondStep(request, reply, end.asked) : undefined;
    return {
      outcome: end.outcome,
      next: "next" in end ? (end.next ?? null) : null,
      email: end.outcome === "password-needed" ? end.email : null,
      provider_name: end.providerName,
      second_step: step?.second_step ?? null,
      test: end.outcome === "tested" ? end.test : null,
    };
  });

  serve(sessionOperations.confirmSsoLink, async ({ request, reply, body: { password } }) => {
    const asked = sso.passwordNeeded(cookies.sso.read(request));
    const mailbox = tokenHash(foldText(asked.email.trim()));
    await bounds.take({ address: request.ip, mailbox }, { "sign-ins": 1 });
    const { team_id: teamId } = requireProviderKey(asked.provider);
    const agent = await signIn.isTheirPassword({ teamId, agentId: asked.agentId, password, ip: request.ip });
    const by = { agent, ip: request.ip, browser: sessions.browserOf(request) };
    const { session, next } = await sso.linkAfterPassword(asked, by);
    cookies.sso.clear(request, reply);
    if (session.outcome === "second-step") {
      return { next: next ?? null, ...sessions.askSecondStep(request, reply, session) };
    }
    await sessions.enter(request, reply, session);
    return { next: next ?? null, second_step: null };
  });

  serve(sessionOperations.listOwnSso, ({ agent }) => perform(agent, listOwnSso, {}));

  serve(sessionOperations.unlinkOwnSso, async ({ agent, params }) => {
    await perform(agent, unlinkOwnSso, { provider: params.id });
    return {};
  });

  /** Undefined without a session: a sign-in needs none. */
  async function whoIsSignedIn(request: FastifyRequest): Promise<AgentActor | undefined> {
    try {
      const { actor } = await authenticate.session(cookies.session.read(request));
      return { ...actor, ip: request.ip };
    } catch (error) {
      if (error instanceof Refusal && error.reason.name === "not-authenticated") return undefined;
      throw error;
    }
  }

  function goingTo(
    request: FastifyRequest,
    reply: FastifyReply,
    { url, cookie: begun }: { url: string; cookie: string },
  ) {
    cookies.sso.set(request, reply, begun);
    return { url };
  }
}
