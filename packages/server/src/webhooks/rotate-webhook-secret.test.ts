/** Decision 43: a signing secret is replaced with an overlap of 24 hours. */

import { dump } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { signingSecrets } from "./signing-secrets.ts";
import { webhookById } from "./webhook-store.ts";

const { team, storage, runtime, clock } = await startTestApp();
const HOUR_MS = 60 * 60 * 1_000;

async function subscribed() {
  const acme = await team();
  const made = await acme.post("/webhooks", { endpoint_url: "https://a.test/hook", events: ["message.sent"] });
  const path = `/webhooks/${made.body.data.id}`;
  return { acme, path, id: made.body.data.id as string, first: made.body.data.attributes[0].signing_secret as string };
}

const rotate = async (acme: TestTeam, path: string, headers?: Record<string, string>) =>
  (await acme.post(`${path}/rotate`, undefined, headers)).body.data.attributes[0].signing_secret as string;

/** What would sign at this moment. */
async function signing(acme: TestTeam, id: string) {
  const webhook = await storage.first(webhookById, { team_id: acme.teamId, id });
  if (!webhook) throw new Error("There is no such subscription.");
  return signingSecrets(webhook, runtime.vault, clock.now());
}

test("the new secret is shown once, signs beside the old one for 24 hours, and then alone", async () => {
  const { acme, path, id, first } = await subscribed();
  const answer = await acme.post(`${path}/rotate`);
  const second = answer.body.data.attributes[0].signing_secret;
  expect(answer.status).toBe(200);
  expect(second).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(second).not.toBe(first);
  expect(answer.body.data.attributes[0].takes_over_at).toBe(new Date(clock.now() + 24 * HOUR_MS).toISOString());
  expect(await signing(acme, id)).toEqual({ current: first, next: second });
  clock.advance(24 * HOUR_MS - 1);
  expect(await signing(acme, id)).toEqual({ current: first, next: second });
  clock.advance(1);
  expect(await signing(acme, id)).toEqual({ current: second, next: undefined });
});

test("activated, the new secret signs alone at once; without one that waits it is refused and nothing changes", async () => {
  const { acme, path, id, first } = await subscribed();
  const refused = {
    message: "Some fields are invalid.",
    errors: { webhook: [expect.stringContaining("no new secret")] },
  };
  expect(await acme.post(`${path}/rotate/activate`)).toMatchObject({ status: 422, body: refused });
  expect(await signing(acme, id)).toEqual({ current: first, next: undefined });
  const second = await rotate(acme, path);
  expect((await acme.post(`${path}/rotate/activate`)).status).toBe(200);
  expect(await signing(acme, id)).toEqual({ current: second, next: undefined });
  await rotate(acme, path);
  clock.advance(24 * HOUR_MS);
  expect((await acme.post(`${path}/rotate/activate`)).status).toBe(422);
});

test("a second rotation replaces the secret that waits; one after the 24 hours replaces the one that took over", async () => {
  const { acme, path, id, first } = await subscribed();
  await rotate(acme, path);
  const third = await rotate(acme, path);
  expect(await signing(acme, id)).toEqual({ current: first, next: third });
  clock.advance(24 * HOUR_MS);
  const fourth = await rotate(acme, path);
  expect(await signing(acme, id)).toEqual({ current: third, next: fourth });
});

test("a repeat with the same Idempotency-Key gets the same secret, so that a lost answer loses none", async () => {
  const { acme, path, id, first } = await subscribed();
  const key = { "idempotency-key": "rotate once" };
  const second = await rotate(acme, path, key);
  expect(await rotate(acme, path, key)).toBe(second);
  expect(await signing(acme, id)).toEqual({ current: first, next: second });
});

test("the new secret is in that answer and nowhere else", async () => {
  const { acme, path } = await subscribed();
  const second = await rotate(acme, path, { "idempotency-key": "sealed" });
  const told = [await acme.get(path), await acme.get("/webhooks"), await acme.patch(path, { name: "New" })];
  for (const { body } of told) expect(JSON.stringify(body)).not.toMatch(/whsec_|secret/);
  expect(JSON.stringify(await acme.events())).not.toContain("whsec_");
  expect(await dump(storage)).not.toContain(second.slice("whsec_".length));
});
