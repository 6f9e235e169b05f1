import { randomBytes } from "node:crypto";
import { beginSessions } from "@frontdesk/testing/begin-sessions";
import { OWN_PAGE } from "@frontdesk/testing/signed-in";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { pino } from "pino";
import { afterAll, expect, it } from "vitest";
import { createAuthentication } from "../../access/authenticate.ts";
import { openVault } from "../../access/vault.ts";
import { createPerform } from "../../perform.ts";
import { createRuntime } from "../../runtime.ts";
import { newSetupToken } from "../../setup/setup-token.ts";
import { createHttpServer } from "../framework/http-server.ts";
import { ownPage } from "../framework/own-page.ts";
import { setupRoutes } from "./setup-routes.ts";

const { storage } = await openTestStorage();
await storage.migrate();
const runtime = createRuntime(openVault(randomBytes(32)));
const perform = createPerform(storage, runtime, { news: () => {}, jobs: () => {} });
const http = createHttpServer({ logger: pino({ level: "silent" }), trustProxy: false, onAnswer: () => {} });
const begin = beginSessions(storage, perform, runtime.now);
http.register(setupRoutes, {
  perform,
  newId: runtime.newId,
  publicUrl: "https://chat.acme.test",
  begin,
  ownPage: ownPage("https://chat.acme.test"),
});
afterAll(() => http.close());

const token = (await newSetupToken(storage, runtime)) ?? "";
const FORM = "application/x-www-form-urlencoded";

const filled = {
  team_name: "Ada & Söhne <b>",
  name: "Ada",
  email: "ada@acme.test",
  password: "correct horse battery",
  widget_name: "Website",
};

function get(query = `?token=${token}`) {
  return http.inject({ method: "GET", url: `/setup${query}` });
}

function post(payload: string | Buffer, { query = `?token=${token}`, type = FORM } = {}) {
  return http.inject({
    method: "POST",
    url: `/setup${query}`,
    headers: { "content-type": type, ...OWN_PAGE },
    payload,
  });
}

const encoded = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

it("a false, repeated or missing set-up token is answered with 403 in plain words, whatever the form holds", async () => {
  for (const query of ["", "?token=", "?token=false", `?token=${token}&token=${token}`]) {
    for (const answer of [await get(query), await post(encoded(filled), { query })]) {
      expect(answer.statusCode).toBe(403);
      expect(answer.payload).toContain("restart Frontdesk");
      expect(answer.payload).not.toContain("<form");
    }
  }
});

it("the set-up page is a form that works without JavaScript, and gives nothing away", async () => {
  const { statusCode, headers, payload } = await get();
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "strict-origin",
    "content-security-policy": expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    ),
  });
  expect(payload).toMatch(/<html lang="en">/);
  expect(payload).not.toMatch(/<script|https?:\/\//);
  for (const name of Object.keys(filled)) expect(payload).toContain(`<label for="${name}">`);
  expect(payload).toMatch(/name="widget_name"[^>]*value="Website"/);
});

it("what is wrong is reported at its field, the other values are kept, and a password never comes back", async () => {
  const wrong = encoded({ ...filled, email: "ada@", password: "short<", name: " " });
  const { statusCode, payload } = await post(wrong);
  expect(statusCode).toBe(422);
  expect(payload).toContain('value="Ada &#38; Söhne &#60;b&#62;"');
  expect(payload).toMatch(/<input id="email"[^>]*aria-describedby="email-problem"[^>]*aria-invalid="true"/);
  expect(payload).toContain('<p class="wrong" id="name-problem">Please fill this in.</p>');
  expect(payload).toContain("at least 8 characters");
  expect(payload).not.toContain("short");
  expect(payload).toContain('role="alert"');
});

it("a password that is easy to guess, or that the form says of its owner, is reported at its field", async () => {
  for (const [password, said] of [
    ["12345678", "too easy to guess"],
    ["ada@acme.test", "not your name, email or team"],
    ["Ada&Söhne B 1", "not your name, email or team"],
  ] as const) {
    const { statusCode, payload } = await post(encoded({ ...filled, password }));
    expect([statusCode, payload.match(/id="password-problem">([^<]*)</)?.[1]], password).toEqual([
      422,
      expect.stringContaining(said),
    ]);
  }
});

it("a field that is missing, or there twice, is an error on that field", async () => {
  const twice = await post(`${encoded(filled)}&email=eve%40x.test`);
  expect(twice.statusCode).toBe(422);
  expect(twice.payload).toContain('id="email-problem"');
  expect(twice.payload).not.toContain('id="name-problem"');
  const none = await post("");
  expect(none.statusCode).toBe(422);
  expect(none.payload.match(/class="wrong"/g)).toHaveLength(5);
  const noBody = await http.inject({ method: "POST", url: `/setup?token=${token}`, headers: OWN_PAGE });
  expect(noBody.statusCode).toBe(422);
});

it("a body that is too large, of another type, or not UTF-8 is answered with a page, never replaced", async () => {
  const answers = [
    [413, await post(encoded({ ...filled, name: "a".repeat(17 * 1024) }))],
    [415, await post(JSON.stringify(filled), { type: "application/json" })],
    [400, await post(Buffer.from("name=\xff", "latin1"))],
    [400, await post("name=%ff")],
    [400, await post("name=%ED%A0%80")],
    [400, await post("name=%zz")],
    [422, await post(`${encoded({ ...filled, name: "A\0da" })}`)],
  ] as const;
  for (const [status, answer] of answers) {
    expect(answer.statusCode).toBe(status);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
  }
});

it("a set-up shows the key once, with an example that works, and closes the page", async () => {
  const { statusCode, payload, headers } = await post(encoded(filled));
  expect(statusCode).toBe(200);
  expect(headers["cache-control"]).toBe("no-store");
  expect(headers["set-cookie"]).toMatch(/^frontdesk=fd_session_\w+; .*HttpOnly/);
  expect(payload).toContain('<a href="app">');
  const apiKey = /<code>(fd_key_\w+)<\/code>/.exec(payload)?.[1];
  const { actor } = await createAuthentication(storage, runtime.now, () => {}).apiKey(apiKey);
  expect(payload).toContain(`<code>${actor.teamId}</code>`);
  expect(payload).toContain("curl -X POST https://chat.acme.test/api/v1/conversations");
  expect(payload).toContain("&#34;widget_id&#34;");

  for (const answer of [await get(), await post(encoded({ ...filled, email: "eve@x.test" })), await get("?token=x")]) {
    expect(answer.statusCode).toBe(403);
    expect(answer.payload).toContain("already has a team");
  }
});
