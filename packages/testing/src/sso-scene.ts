/** A team with single sign-on at a hostile provider, its people, and sign-ins without a browser. */
import { randomUUID } from "node:crypto";
import type { AgentRole } from "@frontdesk/core/domain/agent";
import { createAgent } from "@frontdesk/server/agents/create-agent";
import { giveSsoDomain } from "@frontdesk/server/sso/sso-domains";
import type { Claims, HostileIdp } from "./hostile-idp.ts";
import { HOSTILE_CLIENT } from "./hostile-idp.ts";
import { passwordHashOf } from "./password-hash.ts";
import { asPage, type SignedIn, signedIn } from "./signed-in.ts";
import type { TestAnswer, TestApp } from "./test-kit.ts";

export const PASSWORD = "correct horse battery";

export interface Person {
  id: string;
  email: string;
}

let scenes = 0;
let browsers = 0;

/** The team's domain is proven, and its provider is on. */
export async function ssoScene(kit: TestApp, idp: HostileIdp, change: object = {}) {
  const acme = await kit.team();
  scenes += 1;
  const domain = `acme${scenes}-${randomUUID().slice(0, 6)}.example`;
  const owner = await signedIn(kit, acme, "CHAT_AGENT_OWNER");
  await kit.app.perform(acme.actor, giveSsoDomain, { domain });
  const provider = await addProvider(owner, idp, change);

  return {
    acme,
    domain,
    owner,
    provider,
    /** An agent with an e-mail in the domain; without a password for null. */
    async person(
      name: string,
      role: AgentRole = "CHAT_AGENT_MEMBER",
      password: string | null = PASSWORD,
    ): Promise<Person> {
      const email = `${name.toLowerCase()}@${domain}`;
      const passwordHash = password === null ? null : await passwordHashOf(password);
      const { id } = await kit.app.perform(acme.actor, createAgent, { name, email, role, passwordHash });
      return { id, email };
    },
    settings: async () => (await owner.get("/sso")).body,
    change: (body: object) => owner.patch(`/sso/providers/${provider}`, body),
    audited: async (action: string) =>
      (await owner.get(`/audit-log?action=${action}`)).body.entries as { what: Record<string, unknown> }[],
  };
}

/** Saves the provider, on; resolves to its key. */
export async function addProvider(
  owner: SignedIn,
  idp: Pick<HostileIdp, "issuer">,
  change: object = {},
): Promise<string> {
  const { id } = (await owner.get("/sso")).body.next;
  const body = { id, preset: "custom", name: "Acme ID", issuer: idp.issuer, ...HOSTILE_CLIENT, is_on: true, ...change };
  const saved = await owner.post("/sso/providers", body);
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body));
  return id;
}

/** A browser that signs in by SSO; it keeps its cookies. */
export function ssoBrowser(kit: Pick<TestApp, "app">, cookies: Record<string, string> = {}) {
  browsers += 1;
  // An address of its own, for apps that trust a proxy.
  const address = `198.51.${100 + Math.floor(browsers / 250)}.${(browsers % 250) + 1}`;
  const header = () => ({
    "x-forwarded-for": address,
    cookie: Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join("; "),
  });
  async function send(method: string, path: string, body?: object): Promise<TestAnswer> {
    const answer = await asPage(kit, method, path, { ...(body && { body }), headers: header() });
    const set = answer.headers["set-cookie"] as unknown as string | string[] | undefined;
    for (const line of [set ?? []].flat()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      if (value === "") delete cookies[name];
      else cookies[name] = value;
    }
    return answer;
  }
  return {
    cookies,
    send,
    begin: (provider: string, more: object = {}) => send("POST", "/sso/begin", { provider, ...more }),
    end: (provider: string, query: string) => send("POST", "/sso/end", { provider, query }),
    /** A whole sign-in of a person about whom the provider says this. */
    async signsIn(provider: string, idp: HostileIdp, claims: Claims, more: object = {}): Promise<TestAnswer> {
      const { status, body } = await send("POST", "/sso/begin", { provider, ...more });
      if (status !== 200) throw new Error(JSON.stringify(body));
      idp.claims = claims;
      return send("POST", "/sso/end", { provider, query: idp.allows(body.url) });
    },
    me: () => send("GET", "/me"),
  };
}
