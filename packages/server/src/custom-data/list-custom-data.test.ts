/** What a team knows of a contact, and the tool view-custom-fields as an operation. */

import { NO_IDS } from "@frontdesk/testing/rest-answers";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { veraArrives } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { listCustomData } from "./list-custom-data.ts";
import { listCustomFields } from "./list-custom-fields.ts";
import { setCustomData } from "./set-custom-data.ts";

const { app, team, clock } = await startTestApp();

test("a new team has no custom fields, and knows nothing of Vera", async () => {
  const acme = await team();
  const vera = await veraArrives(acme);
  expect(await app.perform(acme.actor, listCustomFields, {})).toEqual([]);
  expect(await app.perform(acme.actor, listCustomData, { contactId: vera })).toEqual([]);
});

test("the fields of the team and the data of the contact, and of no other, are listed by name", async () => {
  const [acme, sams] = [await team(), await team()];
  const [vera, wim, his] = [await veraArrives(acme), await veraArrives(acme, { name: "Wim" }), await veraArrives(sams)];
  for (const [contactId, name] of [
    [vera, "order number"],
    [vera, "Äpfel"],
    [vera, "plan"],
    [wim, "birthday"],
  ] as const) {
    const input = { contactId, name, value: `${name} of hers`, mustExist: false };
    await app.perform(acme.actor, setCustomData, input);
  }
  await app.perform(sams.actor, setCustomData, { contactId: his, name: "bears", value: "2", mustExist: false });
  expect(await app.perform(acme.actor, listCustomFields, {})).toEqual(
    ["Äpfel", "birthday", "order number", "plan"].map((name) => ({ id: expect.any(String), name })),
  );
  const value = { field_id: expect.any(String), updated_at: clock.now(), source: "team" };
  expect(await app.perform(acme.actor, listCustomData, { contactId: vera })).toEqual(
    ["Äpfel", "order number", "plan"].map((name) => ({ ...value, name, value: `${name} of hers` })),
  );
});

test("the data of a contact that is unknown, another team's, or no id at all is refused", async () => {
  const [acme, sams] = [await team(), await team()];
  const vera = await veraArrives(acme);
  for (const contactId of [vera, ...NO_IDS]) {
    await expect(app.perform(sams.actor, listCustomData, { contactId })).rejects.toMatchObject({
      reason: { name: "not-found", what: "contact" },
    });
  }
});
