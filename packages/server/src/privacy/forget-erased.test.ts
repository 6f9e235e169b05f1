/** How long the id of an erased contact is kept, and that the clean-up takes it then. */
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { watchedCleanUp } from "@frontdesk/testing/watched-clean-up";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eraseContact } from "./erase-contact.ts";
import { erasePiece } from "./erase-piece.ts";
import { finishErasure } from "./finish-erasure.ts";
import { ERASED_ID_LIFE_MS } from "./forget-erased-store.ts";
import { hideSomeOfWidget } from "./hide-widget.ts";
import { listErasures } from "./list-erasures.ts";
import { presentListedErasure } from "./present-privacy-lists.ts";
import { removeWidget } from "./remove-widget.ts";

const kit = await startTestApp();
const { app, storage, clock, team } = kit;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const NAMING = ["erasure.started", "contact.erased"];
const naming = async (acme: TestTeam, contactId: string) =>
  (await acme.events()).flatMap(({ name, data }) => (JSON.stringify(data).includes(contactId) ? [name] : []));

test("contact.erased names its contact for 30 days, for receivers that were out of reach, and no longer", async () => {
  const acme = await team();
  const { contactId } = await veraWrites(acme);
  const { id: erasureId } = await app.perform(acme.actor, eraseContact, { contactId });
  while (await app.perform(acme.actor, erasePiece, { erasureId }));
  await app.perform(acme.actor, finishErasure, { erasureId });
  expect(await naming(acme, contactId)).toEqual(NAMING);
  clock.advance(ERASED_ID_LIFE_MS);
  await watchedCleanUp(kit);
  expect(await naming(acme, contactId)).toEqual(NAMING);
  clock.advance(1);
  await watchedCleanUp(kit);
  expect(await naming(acme, contactId)).toEqual([]);
  const [erasure] = await query(storage, `SELECT * FROM erasures WHERE team_id = '${acme.teamId}'`);
  expect(erasure).toMatchObject({ contact_id: null, state: "done" });
  // It is still listed as what it was.
  expect((await app.perform(acme.actor, listErasures, {})).map(presentListedErasure)).toMatchObject([
    { what: "contact" },
  ]);
});

test("and so does that of a contact who was erased with others, by one erasure that names none of them", async () => {
  const acme = await team();
  const { contactId } = await veraWrites(acme);
  const removal = { widgetId: acme.widgetId, conversations: "erase" } as const;
  const { id: erasureId } = await app.perform(acme.actor, removeWidget, removal);
  await app.perform(acme.actor, hideSomeOfWidget, { erasureId });
  while (await app.perform(acme.actor, erasePiece, { erasureId }));
  await app.perform(acme.actor, finishErasure, { erasureId });
  expect(await naming(acme, contactId)).toEqual(NAMING);
  clock.advance(ERASED_ID_LIFE_MS + 1);
  await watchedCleanUp(kit);
  expect(await naming(acme, contactId)).toEqual([]);
});
