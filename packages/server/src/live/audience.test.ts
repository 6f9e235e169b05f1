/** Who may see which event: a loop over every name (docs/decisions/0020-live-stream.md). */

import { VisitorEventFrame, visitorEventNames } from "@frontdesk/core/contract/live";
import { type ApiKeyScope, apiKeyScopes } from "@frontdesk/core/domain/policy";
import { closed, problemsOf } from "@frontdesk/testing/ajv";
import { browser } from "@frontdesk/testing/browser-visitor";
import { listen } from "@frontdesk/testing/live-client";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { audienceOf, everyEventName, maySee } from "./audience.ts";

const { app, storage, team } = await startTestApp({ VISITOR_BOUNDS_FACTOR: "100" });
const origin = await app.start();

const acme = await team();
const [vera, hugo] = [browser(app, acme), browser(app, acme)];
const conversationId: string = (await vera.write("I am Vera.")).body.message.conversation_id;
await hugo.write("I am Hugo.");

test("an event that a newer Frontdesk has written is sent to no client", () => {
  for (const name of ["invoice.paid", "constructor", "__proto__"]) {
    expect(audienceOf(name)).toMatchObject({ visitor: false, team: "nobody" });
    expect(maySee({ kind: "agent", scopes: apiKeyScopes }, { name, contact_id: "vera" })).toBe(false);
    expect(maySee({ kind: "visitor", contactId: "vera" }, { name, contact_id: "vera" })).toBe(false);
  }
});

test("a client that may read the knowledge base gets events of its articles", () => {
  const articles = everyEventName.filter((name) => name.startsWith("article."));
  expect(articles).toHaveLength(3);
  for (const name of articles) {
    expect(maySee({ kind: "agent", scopes: ["knowledge:read"] }, { name, contact_id: null })).toBe(true);
  }
});

describe.each(everyEventName)("%s", (name) => {
  const { team: scope } = audienceOf(name);
  const forVisitors = (visitorEventNames as readonly string[]).includes(name);

  test("is seen by the keys that have its scope alone", () => {
    const sees = (scopes: readonly ApiKeyScope[]) => maySee({ kind: "agent", scopes }, { name, contact_id: "vera" });
    expect(sees(apiKeyScopes)).toBe(scope !== "nobody");
    expect(sees(apiKeyScopes.filter((other) => other !== scope))).toBe(false);
  });

  test("is seen by its own visitor only where the contract says so, and never by another", async () => {
    const sees = (contactId: string) => maySee({ kind: "visitor", contactId }, { name, contact_id: "vera" });
    expect(sees("vera")).toBe(forVisitors);
    expect(sees("hugo")).toBe(false);
    expect(maySee({ kind: "visitor", contactId: "vera" }, { name, contact_id: null })).toBe(false);
  });

  test("reaches a visitor's stream with nothing that is not theirs", async () => {
    await adaReplies(acme, conversationId, { content: "We do." });
    const hello = { widget_id: acme.widgetId };
    const streams = await Promise.all([vera, hugo].map(({ token }) => listen(origin, { ...hello, token })));
    for (const stream of streams) await stream.heard("ready");
    // The newest reply becomes an event of every kind, as if it were about that, and with words that no viewer may see.
    const log = await acme.events();
    const reply = log.at(-1);
    const data = {
      ...reply?.data,
      secret: "INTERNAL",
      visitor: { ...(reply?.data.visitor as object), phone: "INTERNAL" },
    };
    const number = log.length + 1;
    await query(
      storage,
      `INSERT INTO events (team_id, number, id, name, conversation_id, contact_id, actor, data, occurred_at, version)
       SELECT team_id, ${number}, 'evt_${name}${acme.teamId}', '${name}', conversation_id, contact_id, actor,
         '${JSON.stringify(data)}', occurred_at, version FROM events
       WHERE team_id = '${acme.teamId}' AND number = ${log.length}`,
    );
    await query(storage, `UPDATE team_counters SET event_number = ${number} WHERE team_id = '${acme.teamId}'`);
    // And an end, which both hear of.
    await vera.write("The end.");
    await hugo.write("The end.");
    for (const stream of streams) {
      await expect.poll(() => stream.events().at(-1)?.message?.content).toBe("The end.");
      expect(JSON.stringify(stream.frames)).not.toMatch(/INTERNAL|acme\.test/);
      for (const event of stream.events()) expect(problemsOf(closed(VisitorEventFrame), event)).toEqual([]);
    }
    const [ofVera, ofHugo] = streams.map((stream) => stream.events().map((event) => event.name));
    expect(ofVera).toEqual(forVisitors ? [name, "message.received"] : ["message.received"]);
    expect(ofHugo).toEqual(["message.received"]);
    for (const stream of streams) stream.leave();
  });
});
