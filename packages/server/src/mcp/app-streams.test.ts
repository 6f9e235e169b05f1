/** Streams that an app has opened end with its token and with its grant, in every process (A11). */
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { type OAuthApp, registeredApp } from "@frontdesk/testing/oauth-app";
import { addressOf, appOn } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { setAssistantState } from "../assistants/update-assistant.ts";
import { openStorage } from "../storage/open-storage.ts";

const HOUR = 60 * 60_000;
const META = "io.modelcontextprotocol/";

const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const timeouts = heldTimeouts();
/** Two processes, with the same timer for what is due in hours. */
const origins = await Promise.all(
  [1, 2].map(async () => {
    const storage = openStorage(await addressOf(kit.storage));
    const app = await appOn({ storage, runtime: kit.runtime, timeouts, env: { TOOL_RATE_LIMIT: "100000" } });
    return app.start();
  }),
);

/** The time goes on for the timers and for what is stored. */
function pass(ms: number): void {
  kit.clock.advance(ms);
  timeouts.advance(ms);
}

/** Opens a stream. */
async function listen(origin: string, token: string): Promise<{ text: string; ended: boolean }> {
  const envelope = { [`${META}protocolVersion`]: "2026-07-28", [`${META}clientCapabilities`]: {} };
  const answer = await fetch(`${origin}/mcp`, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...{ accept: "application/json, text/event-stream" },
      ...{ "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" },
    },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: "s1", method: "subscriptions/listen" },
      params: { notifications: { toolsListChanged: true }, _meta: envelope },
    }),
  });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, expect.stringMatching(/event-stream/)]);
  const stream = { text: "", ended: false };
  const read = async () => {
    for await (const chunk of answer.body ?? []) stream.text += Buffer.from(chunk).toString();
  };
  void read()
    .catch(() => {})
    .finally(() => {
      stream.ended = true;
    });
  return stream;
}

interface Scene {
  app: OAuthApp;
  given: { code: string; verifier: string };
  tokens: { access: string; refresh: string };
  revoke(): Promise<unknown>;
}

test.each<[string, (scene: Scene) => Promise<unknown>]>([
  ["its access token is over", async () => pass(12 * HOUR)],
  ["the app gives its refresh token back", async ({ app, tokens }) => app.revoke(tokens.refresh)],
  ["the app gives its access token back", async ({ app, tokens }) => app.revoke(tokens.access)],
  ["its code is used a second time", async ({ app, given }) => app.exchange(given)],
  [
    "a token that was replaced long ago is shown again",
    async ({ app, tokens }) => {
      const { body } = await app.refresh(tokens.refresh);
      await app.refresh(body.refresh_token);
      pass(HOUR);
      expect((await app.refresh(tokens.refresh)).body.error).toBe("invalid_grant");
    },
  ],
  ["a person revokes the connection", ({ revoke }) => revoke()],
])("all streams end when %s, and those of another app stay", async (_when, happens) => {
  const acme = await kit.team();
  const admin = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  const app = await registeredApp(kit);
  const given = await app.code(admin);
  const { body } = await app.exchange(given);
  const tokens = { access: body.access_token, refresh: body.refresh_token };
  // Half a day later, so that the other app's token outlives this one.
  pass(12 * HOUR);
  const other = await (await registeredApp(kit, { name: "Other" })).connect(await admin.again());
  const mine = await Promise.all(origins.map((origin) => listen(origin, tokens.access)));
  const others = await Promise.all(origins.map((origin) => listen(origin, other.access)));
  const { data } = (await acme.get("/assistants?limit=100")).body;
  const robin = data.find(({ attributes }: { attributes: { name: string } }) => attributes.name === "Robin");
  // A new stream is looked at once in any case: from this news on, only for a reason.
  for (const { id } of data) await acme.patch(`/assistants/${id}`, { permissions: ["view_tags"] });
  await expect.poll(() => [...mine, ...others].every(({ text }) => text.includes("list_changed"))).toBe(true);
  expect([...mine, ...others].map(({ ended }) => ended)).toEqual([false, false, false, false]);

  const revoked = { assistantId: robin.id, state: "revoked" } as const;
  const revoke = () => kit.app.perform(acme.actor, setAssistantState, revoked);
  await happens({ app, given, tokens, revoke });
  await expect.poll(() => mine.every(({ ended }) => ended)).toBe(true);
  expect(others.map(({ ended }) => ended)).toEqual([false, false]);
});
