/** The tools add-custom-data and update-custom-data as one operation, and custom.data.assigned (decisions 46, 47, 55). */

import { NO_IDS } from "@frontdesk/testing/rest-answers";
import { dump, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventsOf, veraArrives } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { listCustomData } from "./list-custom-data.ts";
import { listCustomFields } from "./list-custom-fields.ts";
import { setCustomData } from "./set-custom-data.ts";

const { app, storage, team, clock } = await startTestApp();

const add = (acme: TestTeam, contactId: string, name: string, value: string) =>
  app.perform(acme.actor, setCustomData, { contactId, name, value, mustExist: false });
const update = (acme: TestTeam, contactId: string, name: string, value: string) =>
  app.perform(acme.actor, setCustomData, { contactId, name, value, mustExist: true });
/** What the team knows of Vera, as names and values. */
const knownOf = async (acme: TestTeam, contactId: string) =>
  (await app.perform(acme.actor, listCustomData, { contactId })).map(({ name, value }) => [name, value]);
const fieldsOf = (acme: TestTeam) => app.perform(acme.actor, listCustomFields, {});

describe("adding", () => {
  test("sets the value of a contact, and makes the field when the team has none of this name", async () => {
    const acme = await team();
    const vera = await veraArrives(acme);
    clock.advance(1_000);
    const set = await add(acme, vera, " plan ", "Business");
    expect(set).toMatchObject({ contact: { id: vera }, name: "plan", value: "Business" });
    const [field, ...others] = await fieldsOf(acme);
    expect(others).toEqual([]);
    expect(field).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: "plan" });
    expect(await app.perform(acme.actor, listCustomData, { contactId: vera })).toEqual([
      { field_id: field?.id, name: "plan", value: "Business", updated_at: clock.now(), source: "team" },
    ]);
  });

  test("records custom-field.created for a new field, and custom.data.assigned with the one pair, each once", async () => {
    const acme = await team();
    const vera = await veraArrives(acme, { email: "vera@example.com" });
    const events = await eventsOf(acme, () => add(acme, vera, "plan", "Business"));
    const [field] = await fieldsOf(acme);
    expect(events).toMatchObject([
      { name: "custom-field.created", contact_id: null, data: { custom_field: field } },
      { name: "custom.data.assigned", conversation_id: null, contact_id: vera, occurred_at: clock.now() },
    ]);
    expect(events[1]?.data).toEqual({
      visitor: { id: vera, name: "Vera", email: "vera@example.com", phone: null },
      custom_data: { plan: "Business" },
      assigned_by: { system: {} },
    });
  });

  test("on an existing name sets the value", async () => {
    const acme = await team();
    const vera = await veraArrives(acme);
    await add(acme, vera, "plan", "Free");
    const events = await eventsOf(acme, () => add(acme, vera, "plan", "Business"));
    expect(events).toMatchObject([{ name: "custom.data.assigned", data: { custom_data: { plan: "Business" } } }]);
    expect(await knownOf(acme, vera)).toEqual([["plan", "Business"]]);
  });

  test("uses the field that another contact's data has made", async () => {
    const acme = await team();
    const [vera, wim] = [await veraArrives(acme), await veraArrives(acme, { name: "Wim" })];
    await add(acme, vera, "plan", "Free");
    const events = await eventsOf(acme, () => add(acme, wim, "plan", "Business"));
    expect(events.map(({ name }) => name)).toEqual(["custom.data.assigned"]);
    expect(await knownOf(acme, vera)).toEqual([["plan", "Free"]]);
    expect(await knownOf(acme, wim)).toEqual([["plan", "Business"]]);
    expect(await fieldsOf(acme)).toHaveLength(1);
  });

  test("names that differ in letter case are two", async () => {
    const acme = await team();
    const vera = await veraArrives(acme);
    await add(acme, vera, "plan", "Free");
    await add(acme, vera, "Plan", "Business");
    expect(await knownOf(acme, vera)).toEqual([
      ["plan", "Free"],
      ["Plan", "Business"],
    ]);
  });

  test("the same new name at once from many sides makes one field and one event", async () => {
    const acme = await team();
    const vera = await veraArrives(acme);
    const events = await eventsOf(acme, () =>
      Promise.all(Array.from({ length: 20 }, () => add(acme, vera, "plan", "Business"))),
    );
    expect(events.map(({ name }) => name)).toEqual(["custom-field.created", "custom.data.assigned"]);
  });
});

describe("updating", () => {
  test("changes an existing value, and answers the new one", async () => {
    const acme = await team();
    const vera = await veraArrives(acme);
    await add(acme, vera, "plan", "Free");
    clock.advance(1_000);
    const events = await eventsOf(acme, () => update(acme, vera, "plan", "Business"));
    expect(events).toMatchObject([{ name: "custom.data.assigned", data: { custom_data: { plan: "Business" } } }]);
    expect(await app.perform(acme.actor, listCustomData, { contactId: vera })).toMatchObject([
      { name: "plan", value: "Business", updated_at: clock.now() },
    ]);
  });

  test("refuses a name that the contact has no value for, and leaves nothing", async () => {
    const acme = await team();
    const [vera, wim] = [await veraArrives(acme), await veraArrives(acme, { name: "Wim" })];
    await add(acme, wim, "plan", "Free");
    const before = await dump(storage);
    for (const name of ["plan", "Plan", "nobody has this", "toString", "__proto__"]) {
      await expect(update(acme, vera, name, "Business")).rejects.toMatchObject({
        message: "Custom data not found.",
        reason: { name: "not-found", what: "custom-data" },
      });
    }
    expect(await dump(storage)).toBe(before);
  });
});

test("a value that is already so stays, and no second event is recorded", async () => {
  const acme = await team();
  const vera = await veraArrives(acme);
  await add(acme, vera, "plan", "Business");
  const before = await dump(storage);
  clock.advance(1_000);
  for (const set of [add, update]) {
    expect(await set(acme, vera, " plan", "Business")).toMatchObject({ name: "plan", value: "Business" });
  }
  expect(await dump(storage)).toBe(before);
});

describe("bounds", () => {
  test.each(["", " kept as it is \n", "🎁".repeat(1_000), "%_\\'\"", "null"])(
    "a value of up to 1,000 characters is kept as it is: %j",
    async (value) => {
      const acme = await team();
      const vera = await veraArrives(acme);
      const [, event] = await eventsOf(acme, () => add(acme, vera, "plan", value));
      expect(event?.data.custom_data).toEqual({ plan: value });
      expect(await knownOf(acme, vera)).toEqual([["plan", value]]);
    },
  );

  test.each([
    ["no name", "", "Business", "name"],
    ["a name of white space", " \u3000", "Business", "name"],
    ["a name of 101 characters", "🎁".repeat(101), "Business", "name"],
    ["a name of two lines", "pl\nan", "Business", "name"],
    ["a name with half a character", "\ud83d", "Business", "name"],
    ["a value of 1,001 characters", "plan", "🎁".repeat(1_001), "value"],
    ["a value with NUL", "plan", "Bus\0iness", "value"],
    ["a value with half a character", "plan", "\udc00", "value"],
  ])("%s is refused on its field, and leaves nothing", async (_what, name, value, field) => {
    const acme = await team();
    const vera = await veraArrives(acme);
    const before = await dump(storage);
    for (const set of [add, update]) {
      await expect(set(acme, vera, name, value)).rejects.toMatchObject({
        reason: { name: "invalid", errors: { [field]: [expect.any(String)] } },
      });
    }
    expect(await dump(storage)).toBe(before);
  });
});

// Reference row 26.
test.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "100", "🎁".repeat(100)])(
  "the name %s is plain data, from the field to the stored payload",
  async (name) => {
    const acme = await team();
    const vera = await veraArrives(acme);
    expect(await add(acme, vera, name, "polluted")).toMatchObject({ name, value: "polluted" });
    expect(await knownOf(acme, vera)).toEqual([[name, "polluted"]]);
    expect((await fieldsOf(acme)).map((field) => field.name)).toEqual([name]);
    const rows = await query(
      storage,
      `SELECT data FROM events WHERE team_id = '${acme.teamId}' AND name = 'custom.data.assigned'`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.data).toContain(`"custom_data":{${JSON.stringify(name)}:"polluted"},`);
    expect(Object.entries(JSON.parse(String(rows[0]?.data)).custom_data)).toEqual([[name, "polluted"]]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  },
);

test("a contact that is unknown, another team's, or no id at all is refused, and no field is made", async () => {
  const [acme, sams] = [await team(), await team()];
  const vera = await veraArrives(acme);
  await add(acme, vera, "plan", "Free");
  const before = await dump(storage);
  for (const id of [vera, ...NO_IDS]) {
    for (const set of [add, update]) {
      await expect(set(sams, id, "plan", "Business")).rejects.toMatchObject({
        message: "Contact not found.",
        reason: { name: "not-found", what: "contact" },
      });
    }
  }
  expect(await dump(storage)).toBe(before);
});

test("who named another team's agent as the one who sets it is refused, and nothing is set", async () => {
  const [acme, sams] = [await team(), await team()];
  const vera = await veraArrives(acme);
  const before = await dump(storage);
  const input = { contactId: vera, name: "plan", value: "Free", mustExist: false, by: { agentId: sams.ada.id } };
  await expect(app.perform(acme.actor, setCustomData, input)).rejects.toMatchObject({ reason: { name: "invalid" } });
  expect(await dump(storage)).toBe(before);
});
