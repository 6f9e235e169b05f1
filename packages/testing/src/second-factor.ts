/** Agents with a password and an authenticator app, as browsers see them. */
import { randomUUID } from "node:crypto";
import type { AgentRole } from "@frontdesk/core/domain/agent";
import { hashPassword } from "@frontdesk/server/access/password";
import { TOTP_STEP_MS, totpCode } from "@frontdesk/server/access/totp";
import { createAgent } from "@frontdesk/server/agents/create-agent";
import { finishSecondStep } from "@frontdesk/server/sessions/finish-second-step";
import { startSession } from "@frontdesk/server/sessions/start-session";
import { passkeyDevice } from "./passkey-device.ts";
import { asPage, cookieOf, NOBODY_KNOWS, type SignedIn } from "./signed-in.ts";
import type { TestAnswer, TestApp, TestTeam } from "./test-kit.ts";

export const PASSWORD = "correct horse battery";
const passwordHash = await hashPassword(PASSWORD);

/** A browser that keeps its cookies, at an address of its own (the app has to trust its proxy). */
export interface Browser {
  cookies: Map<string, string>;
  request(method: string, path: string, body?: unknown): Promise<TestAnswer>;
  get(path: string): Promise<TestAnswer>;
  post(path: string, body?: unknown): Promise<TestAnswer>;
  delete(path: string): Promise<TestAnswer>;
}

let browsers = 0;

export function newBrowser(kit: Pick<TestApp, "app">, userAgent = "Mozilla/5.0 (X11; Linux) Firefox/150.0"): Browser {
  browsers += 1;
  const address = `198.${18 + (browsers >> 16)}.${(browsers >> 8) & 255}.${browsers & 255}`;
  const cookies = new Map<string, string>();
  const request: Browser["request"] = async (method, path, body) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { "x-forwarded-for": address, "user-agent": userAgent, ...(cookie && { cookie }) };
    const answer = await asPage(kit, method, path, { body, headers });
    for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = "", life] = /^([^=]+)=([^;]*); Path=\/; Max-Age=(\d+)/.exec(line) ?? [];
      if (life === "0") cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return {
    cookies,
    request,
    get: (path) => request("GET", path),
    post: (path, body = {}) => request("POST", path, body),
    delete: (path) => request("DELETE", path),
  };
}

export interface PersonWithApp {
  id: string;
  email: string;
  password: string;
  browser: Browser;
  /** The code of the app, so many steps from now. */
  code(steps?: number): string;
  recoveryCodes: string[];
}

/** An agent with a password, signed in with a browser of their own. */
export async function withPassword(
  kit: Pick<TestApp, "app">,
  team: Pick<TestTeam, "actor">,
  role: AgentRole = "CHAT_AGENT_MEMBER",
) {
  const email = `grace-${randomUUID().slice(0, 8)}@acme.test`;
  const { id } = await kit.app.perform(team.actor, createAgent, { name: "Grace", email, role, passwordHash });
  const browser = newBrowser(kit);
  const answer = await browser.post("/sign-in", { email, password: PASSWORD });
  if (answer.status !== 200) throw new Error(`${email} cannot sign in: ${answer.status}`);
  return { id, email, password: PASSWORD, browser };
}

/** Adds an app to a signed-in agent; its last step is the present one. */
export async function addApp({ clock }: Pick<TestApp, "clock">, who: Pick<SignedIn, "post">) {
  const { secret } = (await who.post("/me/factors/app")).body;
  const code = (steps = 0) => totpCode(secret, Math.floor(clock.now() / TOTP_STEP_MS) + steps);
  const confirmed = await who.post("/me/factors/app/confirm", { code: code() });
  if (confirmed.status !== 200) throw new Error(`The app is not confirmed: ${JSON.stringify(confirmed.body)}`);
  return { code, secret: secret as string, recoveryCodes: confirmed.body.recovery_codes as string[] };
}

/** An agent with an app, signed in with a browser of their own. */
export async function withApp(
  kit: Pick<TestApp, "app" | "clock">,
  team: Pick<TestTeam, "actor">,
  role: AgentRole = "CHAT_AGENT_MEMBER",
): Promise<PersonWithApp> {
  const person = await withPassword(kit, team, role);
  return { ...person, ...(await addApp(kit, person.browser)) };
}

/** Signs in with another browser, and trusts it: for an agent of `signedIn` who has an app. */
export async function trustBrowser({ app }: Pick<TestApp, "app">, { actor: { teamId, agentId }, post }: SignedIn) {
  const [recoveryCode] = (await post("/me/factors/recovery-codes")).body.recovery_codes;
  const browser = { tokens: [], userAgent: "Other Browser" };
  const door = { kind: "system", teamId } as const;
  const asked = { agentId, passwordHash: NOBODY_KNOWS, wayIn: "password", browser } as const;
  const { token } = await app.perform(door, startSession, asked);
  await app.perform(door, finishSecondStep, { token, typed: { recoveryCode }, browser, trust: true });
}

/** Adds a passkey to an agent of `signedIn`. */
export async function addPasskey(who: SignedIn): Promise<void> {
  const begun = await who.post("/me/passkeys/options");
  const cookie = `${who.cookie}; ${cookieOf(begun)}`;
  const response = passkeyDevice("https://chat.test").create(begun.body.options);
  const added = await who.request("POST", "/me/passkeys", { name: "Phone", response }, { cookie });
  if (added.status !== 200) throw new Error(`The passkey is not added: ${JSON.stringify(added.body)}`);
}
