import { openDashboard } from "@frontdesk/testing/agent-browser";
import { openBrowser } from "@frontdesk/testing/browser";
import { goThroughFirstRun } from "@frontdesk/testing/first-run-steps";
import { newInstallation } from "@frontdesk/testing/installation";
import { expect, test } from "vitest";

/** The time at a person's pace is measured by `npm run bench:dashboard`. */
const MOST_CLICKS = 6;

test("from an empty installation to an answered message: no step needs a manual", async () => {
  const frontdesk = await newInstallation("sqlite");
  const { setup_url } = await frontdesk.start();
  const { page: owner, complaints } = await openDashboard({ frontdesk }, "/sign-in");
  const elsewhere = await openBrowser({ viewport: { width: 1280, height: 860 } });
  const run = { origin: frontdesk.origin, setupUrl: String(setup_url), owner, visitor: await elsewhere.newPage() };

  const { clicks } = await goThroughFirstRun(run, "machine");
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
  // The browser logs the 401 answers before the sign-in.
  expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
});
