/** Everything that an app or an agent proves something with, searched for in all that is logged (A17). */
import { startMailServer } from "@frontdesk/testing/mail-server";
import { listTools, oauthApp, register } from "@frontdesk/testing/oauth-app";
import { passkeyDevice } from "@frontdesk/testing/passkey-device";
import { addApp, type Browser, newBrowser, PASSWORD, withPassword } from "@frontdesk/testing/second-factor";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";
import { TOTP_STEP_MS } from "../../access/totp.ts";
import { createLogger } from "../../logger.ts";

const MINUTE = 60_000;
const REDIRECT = "https://robin.test/callback";
const output: string[] = [];
const keep = (line: string | Uint8Array) => void output.push(Buffer.from(line).toString());
const logger = createLogger({ level: "debug", destination: { write: keep } });
const mail = await startMailServer();
afterAll(mail.stop);
const env = { TRUST_PROXY: "1", SMTP_URL: `smtp://127.0.0.1:${mail.port}` };
const kit = await startTestApp(env, undefined, undefined, logger);
await kit.app.start();
const acme = await kit.team();

/** All that may not be seen, each with what it is. */
const secrets = new Map<string, string>();
function secret(what: string, ...values: (string | undefined)[]): void {
  for (const value of values) {
    expect(value?.length, what).toBeGreaterThanOrEqual(6);
    secrets.set(value ?? "", what);
  }
}
const cookies = (what: string, browser: Browser) => {
  for (const [name, value] of browser.cookies) secret(`${what}: ${name}`, value);
};

/** What else is written by this process. */
for (const stream of [process.stdout, process.stderr]) {
  const { write } = stream;
  stream.write = ((chunk: string | Uint8Array, ...more: []) => {
    keep(chunk);
    return write.call(stream, chunk, ...more);
  }) as typeof write;
  afterAll(() => {
    stream.write = write;
  });
}

test("an app: registered, allowed, with its code, its tokens, refused ones and revoked ones", async () => {
  const admin = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  secret("session", admin.cookie.split("=")[1]);
  const { body } = await register(kit, { client_name: "Robin", redirect_uris: [REDIRECT], client_secret: "of-an-app" });
  secret("client secret", "of-an-app");
  const app = oauthApp(kit, { clientId: body.client_id, redirectUri: REDIRECT });
  const given = await app.code(admin);
  secret("code", given.code);
  secret("verifier", given.verifier);
  expect(
    (await app.exchange(given, { code_verifier: "a-wrong-verifier", client_secret: "another-of-an-app" })).status,
  ).toBe(400);
  secret("client secret", "another-of-an-app");
  const first = (await app.exchange(given)).body;
  const second = (await app.refresh(first.refresh_token)).body;
  for (const { access_token, refresh_token } of [first, second]) secret("token", access_token, refresh_token);
  expect((await listTools(kit, second.access_token)).status).toBe(200);
  // Where they do not belong.
  const json = { "content-type": "application/json" };
  const asJson = {
    method: "POST",
    url: "/oauth/token",
    headers: json,
    payload: { refresh_token: second.refresh_token },
  } as const;
  expect((await kit.app.http.inject(asJson)).statusCode).toBeGreaterThanOrEqual(400);
  for (const path of ["/mcp", "/oauth/authorize", "/oauth/token", "/api/v1/widgets"]) {
    await kit.app.http.inject({ method: "GET", url: `${path}?access_token=${second.access_token}&code=${given.code}` });
  }
  await listTools(kit, second.access_token.slice(0, -1));
  await kit.app.http.inject({
    ...{ method: "POST", url: "/mcp", payload: `{"token": "${second.access_token}"` },
    headers: { ...json, authorization: `Bearer ${second.access_token}` },
  });
  // Used twice: the grant ends.
  expect((await app.exchange(given)).body.error).toBe("invalid_grant");
  expect((await app.refresh(second.refresh_token)).body.error).toBe("invalid_grant");
  expect((await app.revoke(second.access_token)).status).toBe(200);
});

test("an agent: the password, an authenticator app, recovery codes, a passkey, a trusted browser and a reset", async () => {
  const grace = await withPassword(kit, acme);
  secret("password", PASSWORD);
  cookies("signed in", grace.browser);
  const { secret: appSecret, code, recoveryCodes } = await addApp(kit, grace.browser);
  secret("secret of an app", appSecret);
  secret("recovery code", ...recoveryCodes);

  const browser = newBrowser(kit);
  secret("wrong password", "a wrong password");
  expect((await browser.post("/sign-in", { email: grace.email, password: "a wrong password" })).status).toBe(401);
  expect((await browser.post("/sign-in", { email: grace.email, password: PASSWORD })).body).toHaveProperty(
    "second_step",
  );
  cookies("the second step", browser);
  expect((await browser.post("/sign-in/second-step", { recovery_code: "AAAA-BBBB-CCCC" })).status).toBe(422);
  secret("wrong recovery code", "AAAA-BBBB-CCCC");
  const recovery = { recovery_code: recoveryCodes[0], trust_browser: true };
  expect((await browser.post("/sign-in/second-step", recovery)).status).toBe(200);
  cookies("trusted", browser);

  kit.clock.advance(16 * MINUTE);
  const again = await browser.post("/session/verify", { password: PASSWORD });
  expect(again.status).toBe(200);
  cookies("proved", browser);
  const device = passkeyDevice("https://chat.test");
  const { options } = (await browser.post("/me/passkeys/options")).body;
  secret("challenge", options.challenge);
  cookies("adding a passkey", browser);
  expect((await browser.post("/me/passkeys", { name: "Phone", response: device.create(options) })).status).toBe(200);
  const other = newBrowser(kit);
  const asked = (await other.post("/sign-in/passkey/options")).body;
  const signature = device.sign(asked.options) as { response: { signature: string } };
  secret("signature", signature.response.signature);
  cookies("asking for a passkey", other);
  expect((await other.post("/sign-in/passkey", { response: signature })).status).toBe(200);
  cookies("by passkey", other);

  kit.clock.advance(TOTP_STEP_MS);
  const third = newBrowser(kit);
  await third.post("/sign-in", { email: grace.email, password: PASSWORD });
  const typed = code();
  expect((await third.post("/sign-in/second-step", { code: typed })).status).toBe(200);
  secret("code of an app", typed);
  const renewed = (await third.post("/me/factors/recovery-codes")).body.recovery_codes as string[];
  secret("recovery code", ...renewed);

  await third.post("/password-reset", { email: grace.email });
  const link = () =>
    mail.inbox.map(({ raw }) => /reset-password#([\w-]+)/.exec(raw.replace(/=\r\n/g, ""))?.[1]).find(Boolean);
  await expect.poll(link).toBeDefined();
  secret("token of a reset", link());
  secret("new password", "another long password");
  const reset = await third.post("/password-reset/confirm", { token: link(), password: "another long password" });
  expect(reset.status).toBe(200);
});

test("nothing of it is in the output, which is there", () => {
  const all = output.join("");
  for (const path of [
    "/oauth/token",
    "/oauth/authorize",
    "/mcp",
    "/app/api/sign-in/second-step",
    "/app/api/password-reset/confirm",
  ]) {
    expect(all).toContain(`"route":"${path}"`);
  }
  expect(secrets.size).toBeGreaterThan(45);
  // Six digits may be part of a time or an id: as a value of its own.
  const isSeen = (value: string) =>
    /^\d{6}$/.test(value) ? new RegExp(`(?<![\\w.-])${value}(?![\\w.-])`).test(all) : all.includes(value);
  expect([...secrets].filter(([value]) => isSeen(value)).map(([, what]) => what)).toEqual([]);
});
