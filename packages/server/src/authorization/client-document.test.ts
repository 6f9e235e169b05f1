/** Apps that are known by the address of their document (S12; F4 to F6; A14). */
import { sharedAuthority } from "@frontdesk/testing/certificates";
import {
  type Answer,
  drip,
  flood,
  hang,
  hangUp,
  namesOf,
  startReceiver,
  status,
} from "@frontdesk/testing/https-receiver";
import { ISSUER, oauthApp } from "@frontdesk/testing/oauth-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { documentAddress } from "./client-document.ts";

const authority = sharedAuthority();
const { lookup } = namesOf({ "receiver.test": ["127.0.0.1"], "inside.receiver.test": ["10.0.0.1"] });
const site = await startReceiver({ authority });
const trusts = { extraCa: authority.ca, lookup };
const kit = await startTestApp({}, { ...trusts, imageNetworks: ["127.0.0.0/8"], timeoutMs: 700 });
const strict = await startTestApp({}, trusts);
const acme = await kit.team();
const admin = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");

const REDIRECT = "https://app.test/callback";
const JSON_TYPE = { "content-type": "application/json" };
let documents = 0;

/** A new address with this document; `{}` is the smallest that is right. */
function documentAt(change: object = {}, answer?: (body: string) => Answer) {
  documents += 1;
  const clientId = site.url(`/client/${documents}.json`).href;
  const body = JSON.stringify({ client_id: clientId, client_name: "Claude", redirect_uris: [REDIRECT], ...change });
  site.answers(answer?.(body) ?? status(200, JSON_TYPE, body));
  return clientId;
}

/** What comes of a request by this app. */
async function asked(clientId: string, redirectUri = REDIRECT, on = kit): Promise<string> {
  const { headers } = await oauthApp(on, { clientId, redirectUri }).authorize();
  return new URL(headers.location ?? "").searchParams.get("problem") ?? "asked";
}

test("the page names the host that vouches for the app, and it is fetched once in five minutes", async () => {
  const clientId = documentAt();
  const before = site.received.length;
  const app = oauthApp(kit, { clientId, redirectUri: REDIRECT });
  const { headers } = await app.authorize();
  const query = new URL(headers.location ?? "").searchParams.get("request");
  const { body } = await admin.post("/connect/request", { query });
  expect(body.asked).toMatchObject({ name: "Claude", host: new URL(clientId).host, redirect_host: "app.test" });
  const { access, refresh } = await app.connect(admin);
  expect(access).toMatch(/^fd_access_/);
  expect(site.received.length).toBe(before + 1);
  expect(site.received.at(-1)).toMatchObject({ method: "GET", headers: { accept: "application/json" } });
  expect(site.received.at(-1)?.headers).not.toHaveProperty("cookie");

  // A refresh never waits for the app's site.
  site.answers(hang);
  kit.clock.advance(6 * 60_000);
  expect((await app.refresh(refresh)).status).toBe(200);
  expect(await asked(clientId)).toBe("unknown-app");
});

test.each<[string, object]>([
  ["a method of none", { token_endpoint_auth_method: "none" }],
  [
    "keys as well, as ChatGPT's",
    {
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
    },
  ],
  [
    "more than is known",
    { logo_uri: "https://app.test/logo.png", scope: "a b", application_type: "web", contacts: [null] },
  ],
  ["a redirect that is left out", { redirect_uris: ["myapp://x", REDIRECT] }],
])("a document with %s will do", async (_what, change) => {
  expect(await asked(documentAt(change))).toBe("asked");
});

test.each<[string, object]>([
  ["another client_id", { client_id: "https://receiver.test/other" }],
  ["a client_id with a slash more", { client_id: `${site.url("/client/x").href}/` }],
  ["no client_id", { client_id: undefined }],
  ["no name", { client_name: undefined }],
  ["a name that is none", { client_name: ["Claude"] }],
  ["an empty name", { client_name: "\u200b" }],
  ["no redirects", { redirect_uris: undefined }],
  ["redirects that will not do", { redirect_uris: ["myapp://x", "http://app.test/"] }],
  ["a secret", { client_secret: "x" }],
  ["the end of a secret", { client_secret_expires_at: 0 }],
  ["keys alone", { token_endpoint_auth_method: "private_key_jwt" }],
  ["a secret as its method", { token_endpoint_auth_method: "client_secret_basic" }],
])("a document with %s is none", async (_what, change) => {
  expect(await asked(documentAt(change))).toBe("unknown-app");
});

const answers: Record<string, (body: string) => Answer> = {
  "another type": (body) => status(200, { "content-type": "text/html" }, body),
  "no type": (body) => status(200, {}, body),
  "a redirect": () => status(302, { location: site.url("/elsewhere").href }),
  "404": (body) => status(404, JSON_TYPE, body),
  "no JSON": () => status(200, JSON_TYPE, "{"),
  "a list": () => status(200, JSON_TYPE, "[]"),
  null: () => status(200, JSON_TYPE, "null"),
  "bytes that are no text": () => status(200, JSON_TYPE, "\xff\xfe"),
  "more than 16 KiB": (body) => status(200, JSON_TYPE, `${body}${" ".repeat(17_000)}`),
  "no end": () => flood(1_000_000, () => {}),
  "a slow one": () => drip("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n"),
  "no answer": () => hang,
  "a closed connection": () => hangUp,
};
test.each(Object.keys(answers))("a site that answers with %s has no app", async (what) => {
  const clientId = documentAt({}, answers[what]);
  const before = site.received.length;
  expect(await asked(clientId)).toBe("unknown-app");
  expect(site.received.length).toBeLessThanOrEqual(before + 1);
});

test.each([
  "http://receiver.test/client",
  "https://receiver.test",
  "https://receiver.test/",
  "https://ada@receiver.test/client",
  "https://ada:x@receiver.test/client",
  "https://receiver.test/client#part",
  "https://receiver.test/a/../client",
  "https://receiver.test/a/%2e%2e/client",
  "https://receiver.test/./client",
  "https://RECEIVER.test/client",
  "https://receiver.test:443/client",
  "https://receiver.test\\client",
  "https:receiver.test/client",
  "https://receiver.test/a b",
  ` https://receiver.test/client`,
  `https://receiver.test/${"a".repeat(1_000)}`,
])("%s is no address of a document", async (address) => {
  const before = site.received.length;
  expect(documentAddress(address)).toBeUndefined();
  expect(await asked(address)).toBe("unknown-app");
  expect(site.received.length).toBe(before);
});

test.each([
  "127.0.0.1",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "10.0.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "0.0.0.0",
  "localhost",
  "inside.receiver.test",
  "receiver.test",
  "metadata.internal",
])("nothing is fetched from %s: only the internet is reached", async (host) => {
  const { port } = site;
  const before = site.connections.opened;
  expect(await asked(`https://${host}:${port}/client/1.json`, REDIRECT, strict)).toBe("unknown-app");
  expect(site.connections.opened).toBe(before);
});

test.each([
  ["max-age=60", 59_999, 60_000],
  ["public, max-age=600", 599_999, 600_000],
  ["max-age=31536000", 86_399_999, 86_400_000],
])("%s: it is cached as long, and a day at most", async (control, within, after) => {
  const clientId = documentAt({}, (body) => status(200, { ...JSON_TYPE, "cache-control": control }, body));
  await asked(clientId);
  const fetched = site.received.length;
  kit.clock.advance(within);
  await asked(clientId);
  expect(site.received.length).toBe(fetched);
  kit.clock.advance(after - within);
  await asked(clientId);
  expect(site.received.length).toBe(fetched + 1);
});

test("what must not be stored is fetched each time, and fetching is bounded by address", async () => {
  const clientId = documentAt({}, (body) => status(200, { ...JSON_TYPE, "cache-control": "no-store" }, body));
  const from = (remoteAddress: string) =>
    kit.app.http.inject({
      remoteAddress,
      url: `/oauth/authorize?${oauthApp(kit, { clientId, redirectUri: REDIRECT }).query()}`,
    });
  const before = site.received.length;
  const statuses: number[] = [];
  for (let count = 0; count < 61; count += 1) statuses.push((await from("198.51.100.1")).statusCode);
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 302), 429]);
  expect(site.received.length).toBe(before + 60);
  expect((await from("198.51.100.2")).statusCode).toBe(302);
});

test.each([
  ["Claude Code", "http://localhost/callback", "http://localhost", "/callback"],
  ["Codex", "http://127.0.0.1/callback/x1", "http://127.0.0.1", "/callback/x1"],
  ["VS Code", "http://127.0.0.1:33418/", "http://127.0.0.1", "/"],
])(
  "%s may be sent back to any port of this computer, and the page says that it is one",
  async (_app, registered, host, path) => {
    const clientId = documentAt({ redirect_uris: [registered] });
    for (const port of [":1", ":33418", ":65535"]) {
      const redirectUri = `${host}${port}${path}`;
      expect(await asked(clientId, redirectUri)).toBe("asked");
      const app = oauthApp(kit, { clientId, redirectUri });
      const query = new URL((await app.authorize()).headers.location ?? "").searchParams.get("request");
      const { body } = await (await admin.again()).post("/connect/request", { query });
      expect(body.asked).toMatchObject({ redirect_kind: "this-computer", redirect_host: new URL(redirectUri).host });
      const { back } = await app.code(await admin.again());
      expect(back.href).toMatch(new RegExp(`^${host}${port}${path}\\?code=.*iss=${encodeURIComponent(ISSUER)}`));
    }
  },
);
