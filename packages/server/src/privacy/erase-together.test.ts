/** Erasures of a team that are under way at the same time end together (docs/decisions/0053-erasing.md). */
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { createPerform } from "../perform.ts";
import { type EraseParts, erase } from "./erase-job.ts";

// It has not started: no job runs but those that a test runs.
const { storage, runtime, team } = await startTestApp();

/** What a job uses, with a disk that counts how often it is purged. */
function countedParts() {
  const purged = { times: 0 };
  const parts: EraseParts = {
    storage: {
      ...storage,
      purgeDeleted: async () => {
        purged.times += 1;
      },
    },
    vault: runtime.vault,
    perform: createPerform(storage, runtime, {}),
    record: async () => {},
    removeFiles: async () => {},
  };
  return { parts, purged };
}

async function requested(acme: TestTeam): Promise<string> {
  const { contactId } = await veraWrites(acme);
  return (await acme.delete(`/contacts/${contactId}`)).body.data.id;
}

const stateOf = async (acme: TestTeam, id: string): Promise<string> =>
  (await acme.get(`/erasures/${id}`)).body.data.attributes.state;

test.each(["the first", "the last"])("when %s ends first, the other one purges the disk for both", async (which) => {
  const acme = await team();
  const ids = [await requested(acme), await requested(acme)];
  const [before, after] = (which === "the first" ? ids : ids.toReversed()) as [string, string];
  const { parts, purged } = countedParts();
  await erase(parts, { teamId: acme.teamId, erasureId: before });
  expect([purged.times, await stateOf(acme, before)]).toEqual([0, "running"]);
  await erase(parts, { teamId: acme.teamId, erasureId: after });
  expect(purged.times).toBe(1);
  expect([await stateOf(acme, before), await stateOf(acme, after)]).toEqual(["done", "done"]);
});

test("one that was left to another that never ends, ends by itself when its job runs again", async () => {
  const acme = await team();
  const [one, other] = [await requested(acme), await requested(acme)];
  const { parts, purged } = countedParts();
  await erase(parts, { teamId: acme.teamId, erasureId: one });
  await erase(parts, { teamId: acme.teamId, erasureId: one });
  expect(purged.times).toBe(1);
  expect([await stateOf(acme, one), await stateOf(acme, other)]).toEqual(["done", "running"]);
});

test("none is done while the disk can't be purged", async () => {
  const acme = await team();
  const [one, other] = [await requested(acme), await requested(acme)];
  const { parts } = countedParts();
  const broken = { ...parts, storage: { ...parts.storage, purgeDeleted: () => Promise.reject(new Error("In use.")) } };
  await erase(broken, { teamId: acme.teamId, erasureId: one });
  await expect(erase(broken, { teamId: acme.teamId, erasureId: other })).rejects.toThrow("In use.");
  expect([await stateOf(acme, one), await stateOf(acme, other)]).toEqual(["running", "running"]);
  await erase(parts, { teamId: acme.teamId, erasureId: other });
  expect([await stateOf(acme, one), await stateOf(acme, other)]).toEqual(["done", "done"]);
});
