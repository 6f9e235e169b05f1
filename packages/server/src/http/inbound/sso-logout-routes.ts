import { Refusal } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { SystemActor } from "../../access/actor.ts";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";
import type { Perform } from "../../perform.ts";
import { endSsoSessions } from "../../sso/end-sso-sessions.ts";
import { openSsoProvider } from "../../sso/open-sso-provider.ts";
import { readProviderKey } from "../../sso/sso-provider.ts";
import type { SsoSignIn } from "../../sso/sso-sign-in.ts";

interface SsoLogoutServices {
  perform: Perform;
  sso: Pick<SsoSignIn, "readLogout">;
  bounds: StrangerBounds;
}

/** A logout token has some 2,000 characters. */
const FORM_BYTES = 16 * 1_024;

/**
 * `POST /sso/{provider}/logout`: a provider says that a session is over (OpenID Connect Back-Channel Logout 1.0). No cookie and no
 * own page: its signature says who sends it.
 */
export async function ssoLogoutRoutes(app: FastifyInstance, services: SsoLogoutServices): Promise<void> {
  const { perform, sso, bounds } = services;
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: FORM_BYTES },
    async (_request: FastifyRequest, text: string) => new URLSearchParams(text),
  );

  app.post<{ Params: { provider: string } }>(
    "/sso/:provider/logout",
    { config: { readsQuery: false }, onRequest: ({ ip }) => bounds.take({ address: ip }, { "sso-logouts": 1 }) },
    async (request, reply) => {
      reply.header("cache-control", "no-store");
      const { provider } = request.params;
      const of = readProviderKey(provider);
      const token = request.body instanceof URLSearchParams ? request.body.get("logout_token") : null;
      if (!of || !token) return refuse(reply);
      const door: SystemActor = { kind: "system", teamId: of.team_id, ip: request.ip };
      const opened = await unlessNotFound(perform(door, openSsoProvider, { provider }));
      if (!opened) return refuse(reply);
      const answer = await sso.readLogout(opened.oidc, token);
      // Asked for its keys, the provider did not answer: it may send the token again.
      if ("problem" in answer) return answer.problem === "refused" ? refuse(reply) : refuse(reply, 503);
      const ended = await perform(door, endSsoSessions, { provider, token: answer });
      return ended === undefined ? refuse(reply) : reply.code(200).send({});
    },
  );
}

const refuse = (reply: FastifyReply, status = 400): FastifyReply =>
  reply.code(status).send({ error: status === 400 ? "invalid_request" : "temporarily_unavailable" });

async function unlessNotFound<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Refusal && error.reason.name === "not-found") return undefined;
    throw error;
  }
}
