/** Requests for an export at the same time (docs/decisions/0056-export.md). */
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";

// The app does not run: no export comes to its end.
const { team, storage } = await startTestApp();

test("an export that is asked for several times at once is started once", async () => {
  const acme = await team();
  const { contactId } = await veraWrites(acme);
  const answers = await Promise.all(Array.from({ length: 4 }, () => acme.post(`/contacts/${contactId}/export`)));
  expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(202));
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  const jobs = `SELECT kind FROM jobs WHERE team_id = '${acme.teamId}' AND kind = 'export-contact'`;
  expect(await query(storage, jobs)).toHaveLength(1);
});
