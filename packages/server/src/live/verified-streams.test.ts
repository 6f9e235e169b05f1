/** Streams of visitors for whom the owner's server vouches (docs/decisions/0023-verified-visitors.md). */

import { browser } from "@frontdesk/testing/browser-visitor";
import { listen } from "@frontdesk/testing/live-client";
import { overTheWire } from "@frontdesk/testing/second-app";
import { newIdentitySecret, signedToken } from "@frontdesk/testing/signed-identity";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { createApiKey } from "../access/create-api-key.ts";
import { revokeApiKey } from "../access/revoke-api-key.ts";

const { app, clock, team } = await startTestApp();
const origin = await app.start();

const HOUR_MS = 3_600_000;

/** A team that vouches for its visitors. */
async function vouchingTeam() {
  const acme = await team();
  const secret = await newIdentitySecret(acme);
  const vouch = (sub: string, ms = HOUR_MS) => signedToken(secret, { sub, exp: (clock.now() + ms) / 1_000 });
  /** A visitor who has written once, with an open stream; verified when they have an id. */
  async function visitor(sub?: string, ms?: number) {
    const here = browser(app, acme);
    const { body } = await here.write("Hello", sub === undefined ? {} : { identity: vouch(sub, ms) });
    const hello = { token: here.token, widget_id: acme.widgetId };
    const stream = await listen(origin, hello);
    await stream.heard("ready");
    const identify = (identity: string) => here.ask("POST", "/introduce", { identity });
    return { ...here, hello, stream, identify, conversationId: body.message.conversation_id as string };
  }
  return { ...acme, vouch, visitor };
}

/** Waits until all streams that are open have been looked at: the stream of a key that was revoked has ended. */
async function allWereLookedAt({ actor }: Pick<TestTeam, "actor">): Promise<void> {
  const { key, value } = await app.perform(actor, createApiKey, { name: "short" });
  const stream = await listen(origin, { token: value });
  await stream.heard("ready");
  await app.perform(actor, revokeApiKey, { keyId: key.id });
  await expect.poll(() => stream.closed()?.code).toBe(4001);
}

test("a stream that is open ends with 4001 when the time of its visitor is over; those of others go on", async () => {
  const acme = await vouchingTeam();
  const [vera, guest] = [await acme.visitor("7", 10_000), await acme.visitor()];
  await allWereLookedAt(acme);
  // Not so long that all streams were looked at for that alone.
  clock.advance(41_000);
  await expect.poll(() => vera.stream.closed()?.code).toBe(4001);
  expect(guest.stream.closed()).toBeUndefined();
  await adaReplies(acme, vera.conversationId, { content: "For Vera alone" });
  await adaReplies(acme, guest.conversationId);
  await guest.stream.heard("event");
  expect(JSON.stringify([vera.stream.frames, guest.stream.frames])).not.toContain("For Vera alone");
});

test("so does one that was open before anybody vouched for its visitor", async () => {
  const acme = await vouchingTeam();
  const guest = await acme.visitor();
  await guest.identify(acme.vouch("7"));
  clock.advance(HOUR_MS - 60_000);
  await adaReplies(acme, guest.conversationId);
  await guest.stream.heard("event");
  clock.advance(91_000);
  await expect.poll(() => guest.stream.closed()?.code).toBe(4001);
});

test("it goes on when the page has identified the visitor again", async () => {
  const acme = await vouchingTeam();
  const [vera, hugo] = [await acme.visitor("7"), await acme.visitor("8")];
  clock.advance(HOUR_MS - 60_000);
  await vera.identify(acme.vouch("7"));
  clock.advance(91_000);
  await expect.poll(() => hugo.stream.closed()?.code).toBe(4001);
  await adaReplies(acme, vera.conversationId);
  await vera.stream.heard("event");
  expect(vera.stream.closed()).toBeUndefined();
});

test("none begins when it is over, over any way, until the visitor is identified again", async () => {
  const acme = await vouchingTeam();
  const vera = await acme.visitor("7");
  vera.stream.leave();
  clock.advance(2 * HOUR_MS);
  const late = await listen(origin, vera.hello);
  await expect.poll(() => late.closed()?.code).toBe(4001);
  const headers = { authorization: `Bearer ${vera.token}` };
  for (const path of ["/live/events", "/live/poll"]) {
    const { status, body } = await overTheWire(origin, { path: `${path}?widget_id=${acme.widgetId}`, headers });
    expect({ path, status, fields: Object.keys(body.errors) }).toEqual({ path, status: 401, fields: ["identity"] });
  }
  await vera.identify(acme.vouch("7"));
  const again = await listen(origin, vera.hello);
  await again.heard("ready");
});

test("another secret ends the streams of visitors that the old one has verified", async () => {
  const acme = await vouchingTeam();
  const [vera, guest] = [await acme.visitor("7"), await acme.visitor()];
  await allWereLookedAt(acme);
  await newIdentitySecret(acme);
  await expect.poll(() => vera.stream.closed()?.code).toBe(4001);
  expect(guest.stream.closed()).toBeUndefined();
});

test("a visitor who becomes another contact is closed with 4003, and then gets events of that contact alone", async () => {
  const acme = await vouchingTeam();
  const [vera, guest] = [await acme.visitor("7"), await acme.visitor()];
  const agent = await listen(origin, { token: acme.apiKey });
  await agent.heard("ready");
  await guest.identify(acme.vouch("7"));
  await expect.poll(() => guest.stream.closed()?.code).toBe(4003);
  // The team sees why the old conversation ends.
  await expect.poll(() => agent.events().map(({ name }) => name)).toContain("system-line.added");
  const line = agent.events().find(({ name }) => name === "system-line.added");
  expect(line.message).toMatchObject({ type: "system", content: expect.stringContaining("recognised") });
  expect(line.conversation).toMatchObject({ id: guest.conversationId, message_count: 1, unread_messages: 1 });
  expect(line.timeline_entry).toMatchObject({
    conversation_id: guest.conversationId,
    name: "visitor.recognised",
    by: null,
    values: { id: "7", message_id: line.message.id },
  });

  const back = await listen(origin, guest.hello);
  await back.heard("ready");
  await adaReplies(acme, vera.conversationId, { content: "For Vera" });
  await adaReplies(acme, guest.conversationId, { content: "For nobody any more" });
  expect((await back.heard("event")).message.content).toBe("For Vera");
  expect(vera.stream.closed()).toBeUndefined();
  expect(JSON.stringify(back.frames)).not.toContain("nobody any more");
});

test("at a computer that others use too, the stream of the visitor before ends", async () => {
  const acme = await vouchingTeam();
  const [vera, hugo] = [await acme.visitor("vera"), await acme.visitor("hugo")];
  await vera.identify(acme.vouch("hugo"));
  await expect.poll(() => vera.stream.closed()?.code).toBe(4003);
  await hugo.identify(acme.vouch("somebody new"));
  await expect.poll(() => hugo.stream.closed()?.code).toBe(4001);
});

test("a changed widget is seen by keys with widgets:read, and by no others", async () => {
  const acme = await team();
  const blind = await app.perform(acme.actor, createApiKey, { name: "blind", scopes: ["conversations:read"] });
  const [agent, other] = [await listen(origin, { token: acme.apiKey }), await listen(origin, { token: blind.value })];
  for (const stream of [agent, other]) await stream.heard("ready");
  await acme.patch(`/widgets/${acme.widgetId}`, { name: "Shop" });
  expect(await agent.heard("event")).toMatchObject({ name: "widget.updated", data: { widget: { name: "Shop" } } });
  await browser(app, acme).write("Hello");
  await other.heard("event");
  expect(other.events().map(({ name }) => name)).not.toContain("widget.updated");
});
