/** A certified authorization server (`oidc-provider`) with the same profile as ours, for tests that compare the answers of both. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import { pkce } from "./oauth-app.ts";

export interface Oracle {
  issuer: string;
  /** `GET` of the authorization endpoint, by a browser that is new. */
  authorize(query: string): Promise<Response>;
  token(form: URLSearchParams): Promise<Response>;
  revoke(form: URLSearchParams): Promise<Response>;
  /** A code that a person has consented to. */
  code(client: { clientId: string; redirectUri: string }): Promise<{ code: string; verifier: string }>;
  close(): Promise<void>;
}

const INVALID_TARGET = Object.assign(new Error("invalid_target"), {
  ...{ error: "invalid_target", error_description: "unknown resource", status: 400, statusCode: 400, expose: true },
});

/** @param clients their ids, each with its redirects */
export async function startOracle(clients: Record<string, string[]>): Promise<Oracle> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { errors } = (await import("oidc-provider")) as unknown as { errors?: { InvalidTarget: new () => Error } };
  const provider = new Provider(issuer, {
    clients: Object.entries(clients).map(([client_id, redirect_uris]) => ({
      ...{ client_id, redirect_uris, token_endpoint_auth_method: "none", application_type: "web" },
      ...{ grant_types: ["authorization_code", "refresh_token"], response_types: ["code"] },
    })),
    cookies: { keys: ["a-key-for-tests"] },
    pkce: { required: () => true },
    scopes: ["assist"],
    features: {
      devInteractions: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => `${issuer}/mcp`,
        useGrantedResource: () => true,
        getResourceServerInfo(_context: unknown, resource: string) {
          if (![`${issuer}/mcp`, `${issuer}/mcp/readonly`].includes(resource)) {
            throw errors ? new errors.InvalidTarget() : INVALID_TARGET;
          }
          return { scope: "assist", accessTokenFormat: "opaque" };
        },
      },
    },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  });
  server.on("request", provider.callback());
  const post = (path: string, body: URLSearchParams) => fetch(`${issuer}${path}`, { method: "POST", body });

  return {
    issuer,
    authorize: (query) => fetch(`${issuer}/auth?${query}`, { redirect: "manual" }),
    token: (form) => post("/token", form),
    revoke: (form) => post("/token/revocation", form),
    code: ({ clientId, redirectUri }) => codeBy(issuer, clientId, redirectUri),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A browser without pages, which types what is asked for. */
async function codeBy(issuer: string, clientId: string, redirectUri: string) {
  const { verifier, challenge } = pkce();
  const cookies = new Map<string, string>();
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, resource: `${issuer}/mcp` },
    ...{ code_challenge: challenge, code_challenge_method: "S256", scope: "assist" },
  });
  let next = new URL(`${issuer}/auth?${query}`);
  for (let step = 0; step < 12; step += 1) {
    if (next.href.startsWith(redirectUri)) return { code: next.searchParams.get("code") ?? "", verifier };
    const isPage = next.pathname.startsWith("/interaction/");
    const page = isPage ? await (await ask(next)).text() : "";
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? "login";
    const answer = await ask(next, isPage ? { prompt, login: "ada", password: "x" } : undefined);
    next = new URL(answer.headers.get("location") ?? "", issuer);
  }
  throw new Error(`No code: the browser ended at ${next.href}`);

  async function ask(url: URL, form?: Record<string, string>): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const body = form && new URLSearchParams(form);
    const answer = await fetch(url, { redirect: "manual", headers: { cookie }, ...(body && { method: "POST", body }) });
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    return answer;
  }
}
