/** The tool remove-custom-data as an operation, and custom.data.removed (decisions 46, 47 and 72). */

import { NO_IDS } from "@frontdesk/testing/rest-answers";
import { dump } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventsOf, veraArrives } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { listCustomData } from "./list-custom-data.ts";
import { listCustomFields } from "./list-custom-fields.ts";
import { removeCustomData } from "./remove-custom-data.ts";
import { setCustomData } from "./set-custom-data.ts";

const { app, storage, team } = await startTestApp();

const remove = (acme: TestTeam, contactId: string, name: string, agentId?: string) =>
  app.perform(acme.actor, removeCustomData, { contactId, name, by: agentId ? { agentId } : undefined });

/** Vera, with a value of the field `plan`. */
async function veraWithPlan(acme: TestTeam, value = "Business"): Promise<string> {
  const contactId = await veraArrives(acme);
  await app.perform(acme.actor, setCustomData, { contactId, name: "plan", value, mustExist: false });
  return contactId;
}

test("the value of this contact goes, and is answered; others keep theirs, and the team keeps the field", async () => {
  const acme = await team();
  const [vera, wim] = [await veraWithPlan(acme), await veraWithPlan(acme, "Free")];
  const fields = await app.perform(acme.actor, listCustomFields, {});
  expect(await remove(acme, vera, " plan ")).toMatchObject({ contact: { id: vera }, name: "plan", value: "Business" });
  expect(await app.perform(acme.actor, listCustomData, { contactId: vera })).toEqual([]);
  expect(await app.perform(acme.actor, listCustomData, { contactId: wim })).toMatchObject([{ value: "Free" }]);
  expect(await app.perform(acme.actor, listCustomFields, {})).toEqual(fields);
});

test("it records custom.data.removed once, with the value that it was and who removed it", async () => {
  const acme = await team();
  const vera = await veraWithPlan(acme);
  const [event, ...others] = await eventsOf(acme, () => remove(acme, vera, "plan", acme.ada.id));
  expect(others).toEqual([]);
  expect(event).toMatchObject({ name: "custom.data.removed", conversation_id: null, contact_id: vera });
  expect(event?.data).toEqual({
    visitor: { id: vera, name: "Vera", email: null, phone: null },
    custom_data: { plan: "Business" },
    removed_by: { agent: acme.ada },
  });
});

test("an empty value is a value: it can be removed", async () => {
  const acme = await team();
  const vera = await veraWithPlan(acme, "");
  const [event] = await eventsOf(acme, () => remove(acme, vera, "plan"));
  expect(event?.data.custom_data).toEqual({ plan: "" });
});

test("what is not there is refused: another contact's, an unknown name, another letter case, the same one again", async () => {
  const acme = await team();
  const vera = await veraWithPlan(acme);
  const wim = await veraArrives(acme, { name: "Wim" });
  await remove(acme, vera, "plan");
  const before = await dump(storage);
  for (const [id, name] of [
    [vera, "plan"],
    [wim, "plan"],
    [vera, "Plan"],
    [vera, "nobody has this"],
    [vera, "__proto__"],
  ] as const) {
    await expect(remove(acme, id, name)).rejects.toMatchObject({
      message: "Custom data not found.",
      reason: { name: "not-found", what: "custom-data" },
    });
  }
  expect(await dump(storage)).toBe(before);
});

test("a name such as __proto__ is removed as any other", async () => {
  const acme = await team();
  const vera = await veraWithPlan(acme);
  for (const name of ["__proto__", "constructor"]) {
    await app.perform(acme.actor, setCustomData, { contactId: vera, name, value: "x", mustExist: false });
    const [event] = await eventsOf(acme, () => remove(acme, vera, name));
    expect(Object.entries(event?.data.custom_data as object)).toEqual([[name, "x"]]);
  }
});

test.each(["", "x".repeat(101), "plan\0", "\ud83d"])("a text that is no name is refused on name: %j", async (name) => {
  const acme = await team();
  const vera = await veraWithPlan(acme);
  await expect(remove(acme, vera, name)).rejects.toMatchObject({
    reason: { name: "invalid", errors: { name: [expect.any(String)] } },
  });
});

test("another team's contact and data are as unknown ones", async () => {
  const [acme, sams] = [await team(), await team()];
  const vera = await veraWithPlan(acme);
  const his = await veraArrives(sams);
  const before = await dump(storage);
  for (const id of [vera, ...NO_IDS]) {
    await expect(remove(sams, id, "plan")).rejects.toMatchObject({ reason: { name: "not-found", what: "contact" } });
  }
  await expect(remove(sams, his, "plan")).rejects.toMatchObject({ reason: { name: "not-found", what: "custom-data" } });
  expect(await dump(storage)).toBe(before);
});
