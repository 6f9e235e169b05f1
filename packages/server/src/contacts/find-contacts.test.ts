/** The tool search-contacts, as an operation (decisions 1 and 54). What matches is that of GET /contacts: `search-contacts.test.ts`. */

import { assistantOf } from "@frontdesk/testing/assistant-actor";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraArrives, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import type { Actor } from "../access/actor.ts";
import { createWidget } from "../widgets/create-widget.ts";
import { findContacts } from "./find-contacts.ts";

const { app, team, clock } = await startTestApp();

const find = (actor: Actor, query: string, limit = 20) => app.perform(actor, findContacts, { query, limit });
const namesOf = async (actor: Actor, query: string, limit?: number) =>
  (await find(actor, query, limit)).map(({ name }) => name);

/** Creates these contacts one after another, a second apart. */
async function arrive(acme: TestTeam, names: string[], widgetId = acme.widgetId): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    clock.advance(1_000);
    ids.push(await veraArrives(acme, { name, widgetId }));
  }
  return ids;
}

test("a contact is found by a part of the name, the e-mail or the phone, whatever the case, or by the id", async () => {
  const acme = await team();
  const details = { name: "Vera Voss", email: "v.voss@Example.com", phone: "+4915112345678" };
  const vera = await veraArrives(acme, details);
  await arrive(acme, ["Phoebe"]);
  const robin = assistantOf(acme);
  for (const query of [
    "era vo",
    "VOSS@EX",
    "v.voss@ vera",
    "(151) 123",
    "15",
    "v.",
    vera,
    vera.toUpperCase(),
    "  vera  ",
  ]) {
    expect(await find(robin, query), query).toMatchObject([{ id: vera, widget_id: acme.widgetId, ...details }]);
  }
  for (const query of ["v%", "Vossv.voss", "vera phoebe", "99", "website"]) {
    expect(await find(robin, query), query).toEqual([]);
  }
});

test("last activity comes first, at most as many as were asked for", async () => {
  const acme = await team();
  const [victor] = await arrive(acme, ["Victor", "Verena", "Veronica"]);
  const robin = assistantOf(acme);
  for (const query of ["v", "  "]) expect(await namesOf(robin, query)).toEqual(["Veronica", "Verena", "Victor"]);
  clock.advance(1_000);
  await veraWrites(acme, { contact_id: victor });
  for (const query of ["v", "  "]) expect(await namesOf(robin, query)).toEqual(["Victor", "Veronica", "Verena"]);
  for (const query of ["ver", "er"]) {
    expect(await namesOf(robin, query, 1)).toEqual(["Veronica"]);
    expect(await namesOf(robin, query, 2)).toEqual(["Veronica", "Verena"]);
    expect(await namesOf(robin, query, 50)).toEqual(["Veronica", "Verena"]);
  }
});

test("of more matches than are sorted the first ones are the same", async () => {
  const acme = await team();
  const add = Array.from({ length: 1_005 }, (_, n) => () => veraArrives(acme, { name: `Visitor ${n}` }));
  while (add.length > 0) await Promise.all(add.splice(0, 67).map((arrives) => arrives()));
  clock.advance(1_000);
  await arrive(acme, ["Visitor last"]);
  expect(await namesOf(assistantOf(acme), "visitor", 1)).toEqual(["Visitor last"]);
  const robin = assistantOf(acme, { widgets: [acme.widgetId] });
  expect(await namesOf(robin, "visitor", 50)).toHaveLength(50);
  expect(await namesOf(robin, "visitor 1004")).toEqual(["Visitor 1004"]);
});

describe("an assistant finds", () => {
  test("only contacts of the widgets that it was granted, and as many of them as if there were no others", async () => {
    const acme = await team();
    const shop = (await app.perform(acme.actor, createWidget, { name: "Shop" })).id;
    await arrive(acme, ["Vera 1", "Vera 2"]);
    const [hidden] = await arrive(acme, ["Vera 3", "Vera 4", "Vera 5"], shop);
    const robin = assistantOf(acme, { widgets: [acme.widgetId] });
    for (const query of ["vera", "ve", " "]) {
      expect(await namesOf(robin, query, 2), query).toEqual(["Vera 2", "Vera 1"]);
      expect(await namesOf(assistantOf(acme, { widgets: [shop] }), query, 2), query).toEqual(["Vera 5", "Vera 4"]);
      expect(await namesOf(assistantOf(acme, { widgets: [shop, acme.widgetId] }), query), query).toHaveLength(5);
      expect(await namesOf(assistantOf(acme, { widgets: [], channels: "all" }), query), query).toEqual([]);
    }
    expect(await find(robin, String(hidden))).toEqual([]);
  });

  test("no contact of another team, also when it names that team's widget", async () => {
    const [acme, sams] = [await team(), await team()];
    const [vera] = await arrive(acme, ["Vera"]);
    for (const query of ["vera", "ve", " ", String(vera)]) {
      expect(await find(assistantOf(sams), query), query).toEqual([]);
      expect(await find(assistantOf(sams, { widgets: [acme.widgetId] }), query), query).toEqual([]);
    }
  });

  test("no contact without the permission search_contacts", async () => {
    const robin = assistantOf(await team(), { permissions: ["read_visitor_details", "read_conversations"] });
    await expect(find(robin, "vera")).rejects.toMatchObject({ reason: { name: "not-allowed" } });
  });
});
