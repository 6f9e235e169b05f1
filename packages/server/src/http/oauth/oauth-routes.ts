import type { AppResource } from "@frontdesk/core/domain/app-resource";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { SystemActor } from "../../access/actor.ts";
import { tokenTeam } from "../../access/token.ts";
import type { Vault } from "../../access/vault.ts";
import { readAuthorizationRequest, resourceOf } from "../../authorization/authorization-request.ts";
import { carried } from "../../authorization/carried-query.ts";
import { exchangeCode } from "../../authorization/exchange-code.ts";
import type { IssuedTokens } from "../../authorization/issue-tokens.ts";
import { APP_SCOPE, resourceMetadata, serverMetadata } from "../../authorization/metadata.ts";
import { registerClient } from "../../authorization/registered-client.ts";
import { renewAppTokens } from "../../authorization/renew-app-tokens.ts";
import type { ResolveClient } from "../../authorization/resolve-client.ts";
import { revokeAppToken } from "../../authorization/revoke-app-token.ts";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";
import type { Perform } from "../../perform.ts";
import { answerOAuthError, OAuthError } from "./oauth-errors.ts";

const FORM_BYTES = 16 * 1_024;
const REGISTRATION_BYTES = 16 * 1_024;
const DOCUMENT_SECONDS = 300;

/** Pages of other origins may do what programs may: nothing here looks at a cookie. */
const ANY_ORIGIN = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "www-authenticate, retry-after",
};
const PREFLIGHT = {
  ...ANY_ORIGIN,
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
  "access-control-max-age": "600",
};

const RESOURCE_DOCUMENTS: Record<string, AppResource> = { "": "mcp", "/mcp": "mcp", "/mcp/readonly": "readonly" };

export interface OAuthServices {
  /** The origin of all addresses here. */
  issuer: string;
  /** Whether clients may be known by the address of a document. */
  takesDocuments: boolean;
  perform: Perform;
  vault: Vault;
  now(): number;
  bounds: StrangerBounds;
  resolveClient: ResolveClient;
}

/** What apps speak with to be connected (docs/decisions/0068-authorization-server.md). Nothing is stored before a person consents. */
export async function oauthRoutes(app: FastifyInstance, services: OAuthServices): Promise<void> {
  const { issuer, takesDocuments, vault, now, bounds } = services;
  app.setErrorHandler(answerOAuthError);
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: FORM_BYTES },
    async (_request: FastifyRequest, text: string) => new URLSearchParams(text),
  );
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ "cache-control": "no-store", ...ANY_ORIGIN });
    if (request.method === "OPTIONS") return;
    await bounds.take({ address: request.ip }, { "app-requests": 1 });
  });
  const quiet = { config: { readsQuery: false } };
  const preflight = (path: string) => app.options(path, (_request, reply) => reply.headers(PREFLIGHT).code(204).send());

  const document = (path: string, body: object) => {
    preflight(path);
    app.get(path, quiet, (_request, reply) =>
      reply.header("cache-control", `public, max-age=${DOCUMENT_SECONDS}`).send(body),
    );
  };
  for (const [path, resource] of Object.entries(RESOURCE_DOCUMENTS)) {
    document(`/.well-known/oauth-protected-resource${path}`, resourceMetadata(issuer, resource));
    // Some hosts append the path of the resource here, too.
    document(`/.well-known/oauth-authorization-server${path}`, serverMetadata(issuer, takesDocuments));
  }

  app.get("/oauth/authorize", quiet, (request, reply) => authorize(services, request, reply));

  preflight("/oauth/register");
  app.post("/oauth/register", { ...quiet, bodyLimit: REGISTRATION_BYTES }, async (request, reply) => {
    const { body } = request;
    if (typeof body !== "object" || body === null || Array.isArray(body) || body instanceof URLSearchParams) {
      throw new OAuthError("invalid_client_metadata", "The body has to be a JSON object.");
    }
    const made = registerClient(vault, body as Record<string, unknown>, now());
    if ("problem" in made) throw new OAuthError(made.problem, made.words);
    return reply.code(201).send({
      client_id: made.client.id,
      client_id_issued_at: made.issuedAtSeconds,
      client_name: made.client.name,
      redirect_uris: made.client.redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: APP_SCOPE,
    });
  });

  preflight("/oauth/token");
  app.post("/oauth/token", quiet, async (request) => {
    const form = formOf(request);
    const tokens = await grantTokens(services, form, request.ip);
    return {
      access_token: tokens.access,
      token_type: "Bearer",
      expires_in: tokens.expiresInSeconds,
      refresh_token: tokens.refresh,
      scope: APP_SCOPE,
    };
  });

  preflight("/oauth/revoke");
  app.post("/oauth/revoke", quiet, async (request, reply) => {
    const form = formOf(request);
    const token = form("token");
    if (token === undefined) throw new OAuthError("invalid_request", "token is missing.");
    const teamId = tokenTeam("refresh", token) ?? tokenTeam("access", token);
    if (teamId !== undefined) {
      const actor = holder(teamId, request.ip);
      await services.perform(actor, revokeAppToken, { token, clientId: form("client_id") });
    }
    // Also for what is no token: there is nothing that the app could do about it (RFC 7009, section 2.2).
    return reply.code(200).send({});
  });
}

/**
 * The beginning, in the person's browser: the query is checked, and goes to the consent page of the dashboard as it came. It is in
 * one piece there, because pages read and write queries in ways of their own.
 */
async function authorize(
  { issuer, resolveClient, bounds }: OAuthServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { url = "" } = request.raw;
  const query = url.includes("?") ? url.slice(url.indexOf("?") + 1) : "";
  const count = () => bounds.take({ address: request.ip }, { "client-documents": 1 });
  const read = await readAuthorizationRequest(query, issuer, (id) => resolveClient(id, count));
  switch (read.outcome) {
    case "send-back":
      return reply.redirect(read.url, 302);
    case "problem":
      // To no address of the request: none of them is known to be an app's.
      return reply.redirect(`${issuer}/app/connect?problem=${read.problem}`, 302);
    case "asked":
      return reply.redirect(`${issuer}/app/connect?request=${carried(query)}`, 302);
    default:
      return read satisfies never;
  }
}

/** A field of a form; undefined where it is missing or empty. */
type Form = (name: string) => string | undefined;

function formOf({ body }: FastifyRequest): Form & { all(name: string): string[] } {
  if (!(body instanceof URLSearchParams)) {
    throw new OAuthError("invalid_request", "The body has to be application/x-www-form-urlencoded.");
  }
  const repeated = [...new Set(body.keys())].some((name) => name !== "resource" && body.getAll(name).length > 1);
  if (repeated) throw new OAuthError("invalid_request", "A parameter is there twice.");
  const form = (name: string) => body.get(name) || undefined;
  return Object.assign(form, { all: (name: string) => body.getAll(name) });
}

async function grantTokens(
  services: OAuthServices,
  form: ReturnType<typeof formOf>,
  ip: string,
): Promise<IssuedTokens> {
  const type = form("grant_type");
  if (type === undefined) throw new OAuthError("invalid_request", "grant_type is missing.");
  if (type !== "authorization_code" && type !== "refresh_token") {
    throw new OAuthError("unsupported_grant_type", "grant_type has to be authorization_code or refresh_token.");
  }
  const clientId = form("client_id");
  if (clientId === undefined) throw new OAuthError("invalid_request", "client_id is missing.");
  const asked = form.all("resource");
  const resource = asked.length === 0 ? undefined : resourceOf(services.issuer, asked);
  if (asked.length > 0 && resource === undefined) {
    throw new OAuthError("invalid_target", "resource is not an address for apps of this server.");
  }
  return type === "authorization_code"
    ? grantForCode(services, form, { clientId, resource, ip })
    : grantForRefresh(services, form, { clientId, resource, ip });
}

interface Shown {
  clientId: string;
  resource: AppResource | undefined;
  ip: string;
}

async function grantForCode(services: OAuthServices, form: Form, { clientId, resource, ip }: Shown) {
  const [code, verifier] = [form("code"), form("code_verifier")];
  if (code === undefined) throw new OAuthError("invalid_request", "code is missing.");
  if (verifier === undefined) throw new OAuthError("invalid_request", "code_verifier is missing.");
  const teamId = tokenTeam("code", code);
  if (teamId === undefined) throw await wrongGrant(services, clientId);
  const given = { code, clientId, redirectUri: form("redirect_uri"), verifier, resource };
  const exchanged = await services.perform(holder(teamId, ip), exchangeCode, given);
  switch (exchanged.outcome) {
    case "issued":
      return exchanged.tokens;
    case "wrong":
      throw await wrongGrant(services, clientId);
    case "wrong-resource":
      throw new OAuthError("invalid_target", "The code is for another resource.");
    case "used":
      throw new OAuthError("invalid_grant", "The code was used before. What was given for it has ended.");
    default:
      return exchanged satisfies never;
  }
}

async function grantForRefresh(services: OAuthServices, form: Form, { clientId, resource, ip }: Shown) {
  const token = form("refresh_token");
  if (token === undefined) throw new OAuthError("invalid_request", "refresh_token is missing.");
  const teamId = tokenTeam("refresh", token);
  if (teamId === undefined) throw await wrongGrant(services, clientId);
  const renewed = await services.perform(holder(teamId, ip), renewAppTokens, { token, clientId, resource });
  switch (renewed.outcome) {
    case "issued":
      return renewed.tokens;
    case "wrong":
      throw await wrongGrant(services, clientId);
    case "wrong-resource":
      throw new OAuthError("invalid_target", "The token is for another resource.");
    case "too-many":
      throw new OAuthError("temporarily_unavailable", "Too many refreshes.", 429, renewed.retryAfterSeconds);
    case "replayed":
      throw new OAuthError("invalid_grant", "The token was replaced long ago. The access has ended: connect again.");
    default:
      return renewed satisfies never;
  }
}

/** An app that has a dead token connects again; one that we do not know at all registers first. A document is not fetched for it. */
async function wrongGrant({ resolveClient }: OAuthServices, clientId: string): Promise<OAuthError> {
  const isDocument = /^https:/i.test(clientId);
  if (isDocument || (await resolveClient(clientId, async () => {}))) {
    return new OAuthError("invalid_grant", "The code or token is wrong, has ended, or belongs to another app.");
  }
  return new OAuthError("invalid_client", "This client_id is not known here. Register again.", 401);
}

/** A code or a token acts as the system of its team. */
const holder = (teamId: string, ip: string): SystemActor => ({ kind: "system", teamId, ip });
