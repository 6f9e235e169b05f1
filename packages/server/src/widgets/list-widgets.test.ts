import { specifyList } from "@frontdesk/testing/list-promises";
import { idsOf } from "@frontdesk/testing/rest-answers";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { createWidget } from "./create-widget.ts";

const { app, team, clock } = await startTestApp();

specifyList({
  usual: 20,
  most: 100,
  async fill(rows) {
    const acme = await team();
    const ids = [acme.widgetId];
    while (ids.length < rows) ids.push((await app.perform(acme.actor, createWidget, { name: "Shop" })).id);
    return { team: acme, path: "/widgets", ids };
  },
});

test("a widget has a name and an icon, which may be null", async () => {
  const acme = await team();
  const nameless = await app.perform(acme.actor, createWidget, { name: null });
  const { body } = await acme.get("/widgets");
  expect(body.data).toEqual([
    { type: "widget", id: acme.widgetId, attributes: { name: "Website", icon: null } },
    { type: "widget", id: nameless.id, attributes: { name: null, icon: null } },
  ]);
});

test("widgets are listed by the time they were made, then by id", async () => {
  const acme = await team();
  const made = [acme.widgetId];
  for (const pause of [1, 0, 0, 60_000]) {
    clock.advance(pause);
    made.push((await app.perform(acme.actor, createWidget, { name: "Shop" })).id);
  }
  expect(idsOf(await acme.get("/widgets"))).toEqual(made);
});

test("a team sees no widget of another team", async () => {
  const acme = await team();
  const sams = await team();
  expect(idsOf(await sams.get("/widgets"))).toEqual([sams.widgetId]);
  expect(idsOf(await acme.get("/widgets"))).toEqual([acme.widgetId]);
});
