/**
 * A certified OpenID Connect provider for tests (`oidc-provider`), over HTTPS on loopback: its own sign-in page, sessions, keys, and
 * logouts that it reports. What a good provider never does is `hostile-idp.ts`.
 */
import { once } from "node:events";
import { createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import Provider from "oidc-provider";
import { type Authority, newAuthority } from "./certificates.ts";

export const REAL_CLIENT = { client_id: "frontdesk", client_secret: "a-secret-of-32-characters-or-more" };

export interface RealIdp {
  ca: string;
  issuer: string;
  /** Lets a Frontdesk use it; `reports`: sends logouts to it. */
  registers(client: { redirect_uri: string; logout_uri: string }, reports?: (token: string) => Promise<number>): void;
  /** What the provider says of the person who signs in with this name. */
  people: Map<string, Record<string, unknown>>;
  /** A browser without pages: it keeps cookies, and types what is asked for. */
  browser(): IdpBrowser;
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface IdpBrowser {
  /** Signs in at this address; resolves to what comes back to Frontdesk. */
  signsIn(url: string, name: string): Promise<string>;
  /** Signs out at the provider. */
  signsOut(): Promise<void>;
}

export async function startRealIdp(authority: Authority = newAuthority()): Promise<RealIdp> {
  const people = new Map<string, Record<string, unknown>>();
  const client: Record<string, unknown> = {};
  let report: (token: string) => Promise<number> = async () => 200;
  let handle: ReturnType<Provider["callback"]> = (_request, response) => void response.end();
  const server = createServer(authority.certify(["localhost", "127.0.0.1"]), (asked, response) =>
    handle(asked, response),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
  const idp: RealIdp = {
    ...{ ca: authority.ca, issuer, people },
    registers({ redirect_uri, logout_uri }, reports) {
      if (reports) report = reports;
      Object.assign(client, {
        ...{ ...REAL_CLIENT, redirect_uris: [redirect_uri], backchannel_logout_uri: logout_uri },
        ...{ backchannel_logout_session_required: true, response_types: ["code"], grant_types: ["authorization_code"] },
        token_endpoint_auth_method: "client_secret_post",
      });
    },
    browser: () => browserOf(issuer, authority.ca),
    async stop() {
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, "close");
    },
    close: () => idp.stop(),
  };
  const provider = new Provider(issuer, {
    adapter: memoryAdapter(client),
    cookies: { keys: ["a-key-for-tests"] },
    claims: { openid: ["sub", "sid", "auth_time", "amr"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: true },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...people.get(id) }),
    }),
    fetch: async (_url: URL | string, { body }: { body: URLSearchParams | string }) => {
      const status = await report(new URLSearchParams(String(body)).get("logout_token") ?? "");
      return new Response(null, { status });
    },
  });
  handle = provider.callback();
  return idp;
}

/** Stores everything in memory; the client is the one that was registered. */
function memoryAdapter(client: Record<string, unknown>) {
  const rows = new Map<string, Record<string, unknown>>();
  return class {
    readonly kind: string;
    constructor(kind: string) {
      this.kind = kind;
    }
    async upsert(id: string, payload: Record<string, unknown>) {
      rows.set(`${this.kind} ${id}`, payload);
    }
    async find(id: string) {
      return this.kind === "Client" && id === client.client_id ? client : rows.get(`${this.kind} ${id}`);
    }
    async findByUid(uid: string) {
      return this.#first((row) => row.uid === uid);
    }
    async findByUserCode(code: string) {
      return this.#first((row) => row.userCode === code);
    }
    async consume(id: string) {
      Object.assign(rows.get(`${this.kind} ${id}`) ?? {}, { consumed: Math.floor(Date.now() / 1_000) });
    }
    async destroy(id: string) {
      rows.delete(`${this.kind} ${id}`);
    }
    async revokeByGrantId(grantId: string) {
      for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key);
    }
    #first(is: (row: Record<string, unknown>) => boolean) {
      return [...rows].find(([key, row]) => key.startsWith(`${this.kind} `) && is(row))?.[1];
    }
  };
}

function browserOf(issuer: string, ca: string): IdpBrowser {
  const cookies = new Map<string, string>();

  async function go(method: string, url: URL, form?: Record<string, string>) {
    const body = form && new URLSearchParams(form).toString();
    const sent = request(url, {
      ...{ method, ca },
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(body && { "content-type": "application/x-www-form-urlencoded", "content-length": Buffer.byteLength(body) }),
      },
    });
    sent.end(body);
    const [answer] = await once(sent, "response");
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [name, value] = (line.split(";")[0] ?? "").split("=");
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    return { location: answer.headers.location as string | undefined, page: await text(answer) };
  }

  return {
    async signsIn(url, name) {
      let next = new URL(url);
      for (let step = 0; step < 20; step += 1) {
        const { location, page } = await go("GET", next);
        if (location) {
          const target = new URL(location, next);
          if (target.origin !== issuer) return target.search.slice(1);
          next = target;
          continue;
        }
        const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
        if (!prompt) throw new Error(page.slice(0, 2_000));
        const answer = await go("POST", next, { prompt, ...(prompt === "login" && { login: name, password: "any" }) });
        next = new URL(answer.location ?? next.href, next);
      }
      throw new Error("The provider sends the browser in a circle.");
    },
    async signsOut() {
      const { page } = await go("GET", new URL("/session/end", issuer));
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
      await go("POST", new URL("/session/end/confirm", issuer), { xsrf, logout: "yes" });
    },
  };
}
