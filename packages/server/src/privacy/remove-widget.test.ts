/** Removing a widget (docs/decisions/0057-removing-widgets.md). */
import { robinCalls, robinJoins } from "@frontdesk/testing/assistant-at-work";
import { browser } from "@frontdesk/testing/browser-visitor";
import { inDepth } from "@frontdesk/testing/depth";
import { listen } from "@frontdesk/testing/live-client";
import { openLoft } from "@frontdesk/testing/pigeon";
import { appOn, dump, openBeside, query } from "@frontdesk/testing/second-app";
import { newIdentitySecret, signedToken } from "@frontdesk/testing/signed-identity";
import { startTestApp, type TestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, eventNamesOf, veraWrites, type Written } from "@frontdesk/testing/vera";
import { describe, expect, onTestFinished, test } from "vitest";
import { createPerform, type Perform } from "../perform.ts";
import { countWidgetUse } from "./count-widget-use.ts";
import { type EraseParts, erase } from "./erase-job.ts";
import { hideSomeOfWidget } from "./hide-widget.ts";
import { listErasures } from "./list-erasures.ts";
import { presentListedErasure } from "./present-privacy-lists.ts";
import { removeWidget } from "./remove-widget.ts";
import { resumeAllErasures } from "./resume-erasures.ts";

const kit = await startTestApp();
const { app, storage, team, clock, runtime } = kit;
// Jobs run in a server that has been started.
const origin = await app.start();

/** A server that dies before it comes to the job of a removal: nobody hears of it. */
const stopped = await startTestApp();
const unheard = createPerform(stopped.storage, stopped.runtime, {});
const removeUnheard = ({ actor }: TestTeam, widgetId: string) =>
  unheard(actor, removeWidget, { widgetId, conversations: "erase" });

const ERASE = { conversations: "erase" };
/** More than are hidden in one commit. */
const MANY = 25;

const DEAD = "The process is dead.";

/** What the first server still does of the erasure before it dies. */
async function dieAfter(commits: number, { teamId }: TestTeam, erasureId: string): Promise<void> {
  let left = commits;
  const perform: Perform = (...asked) => {
    left -= 1;
    return left < 0 ? Promise.reject(new Error(DEAD)) : unheard(...asked);
  };
  await expect(erase({ ...partsOf(stopped), perform }, { teamId, erasureId })).rejects.toThrow(DEAD);
}

function partsOf({ storage, runtime }: TestApp): EraseParts {
  const nothing = async () => {};
  const perform = createPerform(storage, runtime);
  return { storage, vault: runtime.vault, perform, record: nothing, removeFiles: nothing };
}

let canaries = 0;
/** A word that is nowhere else. */
function canary(): string {
  canaries += 1;
  return `canary${canaries}x${process.pid}`;
}

async function newWidget(acme: TestTeam, name = "Shop"): Promise<string> {
  const { status, body } = await acme.post("/widgets", { name });
  expect(status).toBe(201);
  return body.data.id;
}

/** A contact of the widget, with a conversation in which both sides have written. */
async function written(acme: TestTeam, widgetId: string): Promise<Written & { word: string }> {
  const word = canary();
  const vera = await veraWrites(acme, { widget_id: widgetId, name: word, content: `My name is ${word}` });
  await adaReplies(acme, vera.conversationId);
  return { ...vera, word };
}

async function erased(acme: TestTeam, id: string) {
  const state = async () => (await acme.get(`/erasures/${id}`)).body.data.attributes;
  await expect.poll(async () => (await state()).state).toBe("done");
  return state();
}

const totals = async (acme: TestTeam) =>
  Object.fromEntries(
    await Promise.all(
      ["/widgets", "/contacts", "/conversations/all"].map(
        async (path) => [path, (await acme.get(path)).body.meta.pagination.total] as const,
      ),
    ),
  );

const identified = (secret: string, sub: string) => signedToken(secret, { sub, exp: clock.now() / 1_000 + 3_600 });

describe("a widget without contacts", () => {
  test("is removed at once, also the last one of the team, and then it is unknown", async () => {
    const acme = await team();
    const path = `/widgets/${acme.widgetId}`;
    const { status, body } = await acme.delete(path);
    expect(status).toBe(202);
    expect(body).toMatchObject({
      message: "Widget removed.",
      data: { attributes: { state: "done", contact_id: null, widget_id: acme.widgetId } },
    });
    expect((await totals(acme))["/widgets"]).toBe(0);
    for (const answer of [await acme.get(path), await acme.patch(path, { name: "Shop" }), await acme.delete(path)]) {
      expect(answer).toMatchObject({ status: 404, body: { message: "Widget not found." } });
    }
    const told = { widget_id: acme.widgetId, content: "Hello" };
    expect((await acme.post("/conversations", told)).status).toBe(404);
    const left = `SELECT id FROM widgets WHERE id = '${acme.widgetId}' UNION SELECT id FROM channel_accounts
      WHERE id = '${acme.widgetId}' UNION SELECT widget_id FROM widget_directory WHERE widget_id = '${acme.widgetId}'`;
    expect(await query(storage, left)).toEqual([]);
  });

  test("leaves one event and one line of the audit log, with its name", async () => {
    const acme = await team();
    expect(await eventNamesOf(acme, () => acme.delete(`/widgets/${acme.widgetId}`))).toEqual(["widget.removed"]);
    const lines = await query(storage, `SELECT action, what FROM audit_log WHERE team_id = '${acme.teamId}'`);
    expect(lines.at(-1)).toEqual({
      action: "remove-widget",
      what: JSON.stringify({ widget: { id: acme.widgetId, name: "Website" } }),
    });
  });

  test("of another team is as unknown as one that is none", async () => {
    const [acme, sams] = [await team(), await team()];
    expect((await acme.delete(`/widgets/${sams.widgetId}`)).status).toBe(404);
    expect((await sams.get(`/widgets/${sams.widgetId}`)).status).toBe(200);
  });
});

describe("a widget with contacts", () => {
  test("is refused with their numbers unless the request says what happens to them", async () => {
    const acme = await team();
    await written(acme, acme.widgetId);
    await written(acme, acme.widgetId);
    await acme.post("/contacts/initialize", { widgetId: acme.widgetId });
    await written(acme, await newWidget(acme));
    expect(await acme.delete(`/widgets/${acme.widgetId}`)).toMatchObject({
      status: 409,
      body: {
        message: 'Conversations of this widget: 2, contacts: 3. To erase them with it, send conversations: "erase".',
      },
    });
    expect(await acme.delete(`/widgets/${acme.widgetId}`, { conversations: "move" })).toMatchObject({ status: 422 });
    const use = { contacts: 3, conversations: 2, held: 0 };
    expect(await app.perform(acme.actor, countWidgetUse, { widgetId: acme.widgetId })).toEqual(use);
    expect((await acme.get(`/widgets/${acme.widgetId}`)).status).toBe(200);
  });

  test("is not erased by a key without privacy:write", async () => {
    const acme = await team({ scopes: ["widgets:read", "widgets:write", "conversations:write"] });
    await veraWrites(acme);
    expect(await acme.delete(`/widgets/${acme.widgetId}`, ERASE)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("privacy:write") },
    });
  });

  test("is not removed while one of them is on hold, and none of them is put on hold once it is", async () => {
    const acme = await stopped.team();
    const { contactId } = await written(acme, acme.widgetId);
    await acme.post(`/contacts/${contactId}/hold`, { reason: "Court case" });
    expect(await acme.delete(`/widgets/${acme.widgetId}`, ERASE)).toMatchObject({
      status: 409,
      body: { message: "Contacts of this widget on hold: 1. The first reason: Court case" },
    });
    await acme.delete(`/contacts/${contactId}/hold`);
    await removeUnheard(acme, acme.widgetId);
    expect((await acme.post(`/contacts/${contactId}/hold`, { reason: "Court case" })).status).toBe(409);
  });

  test("is not removed while it is the home of another channel account", async () => {
    const acme = await team();
    await openLoft(kit, acme);
    expect(await acme.delete(`/widgets/${acme.widgetId}`, ERASE)).toMatchObject({
      status: 409,
      body: { message: "The channel account Loft belongs to this widget. Please delete it first." },
    });
  });

  test("is erased with them: no word is left, the totals are right, and receivers are told of each contact", async () => {
    const acme = await team();
    const stays = [await written(acme, acme.widgetId), await written(acme, acme.widgetId)];
    const before = await totals(acme);
    const shop = await newWidget(acme);
    const gone: (Written & { word: string })[] = [];
    while (gone.length < MANY) gone.push(await written(acme, shop));

    const { status, body } = await acme.delete(`/widgets/${shop}`, { ...ERASE, reason: "Closed" });
    expect(status).toBe(202);
    expect((await totals(acme))["/widgets"]).toBe(1);
    expect((await erased(acme, body.data.id)).erased).toMatchObject({
      ...{ contacts: MANY, conversations: MANY, messages: 2 * MANY },
    });
    expect(await totals(acme)).toEqual(before);
    const left = await dump(storage);
    expect(gone.filter(({ word }) => left.includes(word))).toEqual([]);
    expect(stays.filter(({ word }) => !left.includes(word))).toEqual([]);

    const events = await acme.events();
    expect(events.map(({ number }) => Number(number))).toEqual(events.map((_, index) => index + 1));
    const told = events.filter(({ name }) => name === "contact.erased");
    expect(told.map(({ data }) => (data.visitor as { id: string }).id).sort()).toEqual(
      gone.map(({ contactId }) => contactId).sort(),
    );
    const rows = `SELECT id FROM widgets WHERE id = '${shop}'`;
    expect(await query(storage, rows)).toEqual([]);
  });

  test("is erased to the end by another process, wherever the first one died", async () => {
    const teams: { acme: TestTeam; id: string }[] = [];
    for (const commits of inDepth([0, 7, 50], [0, 1, 2, 7, 50])) {
      const acme = await stopped.team();
      const shop = await newWidget(acme);
      await written(acme, acme.widgetId);
      for (let count = 0; count < MANY; count += 1) await veraWrites(acme, { widget_id: shop });
      const { id } = await removeUnheard(acme, shop);
      await dieAfter(commits, acme, id);
      teams.push({ acme, id });
    }
    const other = await appOn({ storage: await openBeside(stopped.storage), runtime: stopped.runtime });
    // The other tests need a service in which no job runs.
    onTestFinished(() => other.close());
    await other.start();
    for (const { acme, id } of teams) {
      const { erased: counts } = await erased(acme, id);
      expect(counts).toMatchObject({ contacts: MANY, conversations: MANY, messages: MANY });
      expect(await totals(acme)).toEqual({ "/widgets": 1, "/contacts": 1, "/conversations/all": 1 });
      const names = (await acme.events()).map(({ name }) => name);
      expect(names.filter((name) => name === "contact.erased")).toHaveLength(MANY);
    }
  });

  test("is erased by the next clean-up when its job was lost", async () => {
    const acme = await stopped.team();
    await written(acme, acme.widgetId);
    const { id } = await removeUnheard(acme, acme.widgetId);
    await query(stopped.storage, `DELETE FROM jobs WHERE team_id = '${acme.teamId}'`);
    stopped.clock.advance(1);
    const before = stopped.clock.now();
    await resumeAllErasures({ storage: stopped.storage, perform: unheard }, before);
    const jobs = `SELECT kind FROM jobs WHERE team_id = '${acme.teamId}' AND state = 'waiting'`;
    expect(await query(stopped.storage, jobs)).toEqual([{ kind: "erase" }]);
    await erase(partsOf(stopped), { teamId: acme.teamId, erasureId: id });
    expect(await totals(acme)).toEqual({ "/widgets": 0, "/contacts": 0, "/conversations/all": 0 });
  });

  test("is hidden a little in each commit, less where a contact has many conversations", async () => {
    const acme = await stopped.team();
    const { contactId } = await written(acme, acme.widgetId);
    await written(acme, acme.widgetId);
    await query(stopped.storage, `UPDATE contacts SET conversation_count = ${MANY} WHERE id = '${contactId}'`);
    const { id } = await removeUnheard(acme, acme.widgetId);
    for (const left of [1, 0]) {
      expect((await unheard(acme.actor, hideSomeOfWidget, { erasureId: id })).isMore).toBe(true);
      expect((await totals(acme))["/contacts"]).toBe(left);
    }
    expect((await unheard(acme.actor, hideSomeOfWidget, { erasureId: id })).isMore).toBe(false);
  });

  test("is erased, but not done, while it cannot be recorded outside the database", async () => {
    const acme = await stopped.team();
    // Each is hidden in a commit of their own, so that it takes more than one round.
    for (let count = 0; count < MANY; count += 1) await veraWrites(acme);
    const { word } = await written(acme, acme.widgetId);
    await query(
      stopped.storage,
      `UPDATE contacts SET conversation_count = ${MANY} WHERE widget_id = '${acme.widgetId}'`,
    );
    const { id } = await removeUnheard(acme, acme.widgetId);
    const parts = { ...partsOf(stopped), record: () => Promise.reject(new Error("The disk is full.")) };
    const one = { teamId: acme.teamId, erasureId: id };
    await expect(erase(parts, one)).rejects.toThrow("The disk is full.");
    expect(await dump(stopped.storage)).not.toContain(word);
    expect((await acme.get(`/erasures/${id}`)).body.data.attributes.state).toBe("running");
    await erase(partsOf(stopped), one);
    expect((await acme.get(`/erasures/${id}`)).body.data.attributes.state).toBe("done");
  });

  test("has no settings of retention any more, and is one deletion in the list", async () => {
    const acme = await stopped.team();
    await written(acme, acme.widgetId);
    const shop = await newWidget(acme);
    await acme.patch("/privacy", {
      widgets: [acme.widgetId, shop].map((id) => ({ widget_id: id, erase_after_days: 30 })),
    });
    await removeUnheard(acme, acme.widgetId);
    const { body } = await acme.get("/privacy");
    expect(body.data.attributes.widgets.map(({ widget_id }: { widget_id: string }) => widget_id)).toEqual([shop]);
    const listed = (await unheard(acme.actor, listErasures, {})).map(presentListedErasure);
    expect(listed).toMatchObject([{ what: "widget", widget_id: acme.widgetId, state: "running" }]);
  });
});

describe("an assistant", () => {
  test("that was limited to it sees the others it was granted, and after the last one nothing", async () => {
    const acme = await team();
    const shop = await newWidget(acme);
    const stays = await written(acme, acme.widgetId);
    const robin = await robinJoins(acme, { widgets: [acme.widgetId, shop] });
    const limited = await robinJoins(acme, { name: "Limited", widgets: [shop] });
    const free = await robinJoins(acme, { name: "Free" });
    await acme.delete(`/widgets/${shop}`);
    const widgets = async ({ id }: { id: string }) =>
      (await acme.get(`/assistants/${id}`)).body.data.attributes.widgets;
    expect([await widgets(robin), await widgets(limited), await widgets(free)]).toEqual([[acme.widgetId], [], "all"]);
    for (const { token } of [robin, free]) {
      const { body } = await robinCalls(kit, { token }, "list-conversations");
      expect(body.conversations).toMatchObject([{ id: stays.conversationId }]);
    }
    expect((await robinCalls(kit, limited, "list-conversations", {})).status).not.toBe(200);
  });
});

describe("a visitor", () => {
  test("of it is answered as at an unknown widget, and their stream ends", async () => {
    const acme = await team();
    const vera = browser(app, acme);
    await vera.write("Hello");
    const hello = { token: vera.token, widget_id: acme.widgetId };
    const stream = await listen(origin, hello);
    await stream.heard("ready");
    await acme.delete(`/widgets/${acme.widgetId}`, ERASE);
    for (const { status, body } of [await vera.chat(), await vera.say("Hello?")]) {
      expect({ status, body }).toMatchObject({ status: 404, body: { reason: "not-found.widget" } });
    }
    await expect.poll(() => stream.closed()?.code).toBe(4004);
    const again = await listen(origin, hello);
    await expect.poll(() => again.closed()?.code).toBe(4004);
    const page = await fetch(`${origin}/frame/${acme.widgetId}`);
    expect(page.status).toBe(404);
    expect(await page.text()).toContain('{type:"gone"}');
    expect(await (await fetch(`${origin}/widget.js?widget=${acme.widgetId}`)).text()).not.toContain("attachShadow");
  });

  test("who is connected to another process is told there", async () => {
    const acme = await team();
    const beside = await appOn({ storage: await openBeside(storage), runtime });
    const other = await beside.start();
    const vera = browser(beside, acme);
    await vera.write("Hello");
    const stream = await listen(other, { token: vera.token, widget_id: acme.widgetId });
    await stream.heard("ready");
    await acme.delete(`/widgets/${acme.widgetId}`, ERASE);
    await expect.poll(() => stream.closed()?.code).toBe(4004);
    await expect.poll(async () => (await vera.chat()).status).toBe(404);
    expect((await fetch(`${other}/frame/${acme.widgetId}`)).status).toBe(404);
  });

  test("of another widget keeps their stream", async () => {
    const acme = await team();
    const vera = browser(app, acme);
    const { body } = await vera.write("Hello");
    const stream = await listen(origin, { token: vera.token, widget_id: acme.widgetId });
    await stream.heard("ready");
    await acme.delete(`/widgets/${await newWidget(acme)}`);
    await adaReplies(acme, body.message.conversation_id);
    await stream.heard("event");
    expect(stream.closed()).toBeUndefined();
  });

  test("whose contact is going to be erased with it begins anew on another widget", async () => {
    const acme = await stopped.team();
    const shop = await newWidget(acme);
    const secrets = { here: await newIdentitySecret(acme), there: await newIdentitySecret(acme, shop) };
    const first = browser(stopped.app, { widgetId: shop });
    const old = await first.write("Hello", { identity: identified(secrets.there, "7") });
    await removeUnheard(acme, shop);
    const second = browser(stopped.app, acme);
    const fresh = await second.write("Hello again", { identity: identified(secrets.here, "7") });
    expect(fresh.status).toBe(201);
    expect(fresh.body.contact.id).not.toBe(old.body.contact.id);
    expect((await acme.get(`/contacts/${old.body.contact.id}`)).status).toBe(404);
    expect(fresh.chat.messages.map(({ content }: { content: string }) => content)).toEqual(["Hello again"]);
  });
});
