import { randomBytes } from "node:crypto";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { expect, it } from "vitest";
import { createAuthentication } from "../access/authenticate.ts";
import { openVault } from "../access/vault.ts";
import { createPerform } from "../perform.ts";
import { createRuntime } from "../runtime.ts";
import { openStorage } from "../storage/open-storage.ts";
import { allTeams } from "../teams/team-store.ts";
import { type NewTeam, setupTeam } from "./setup-team.ts";
import { getSetupState, newSetupToken } from "./setup-token.ts";

const runtime = createRuntime(openVault(randomBytes(32)));

/** A program on fresh data; `neighbour` is another process on the same data. */
async function freshProgram() {
  const { storage, ...place } = await openTestStorage();
  await storage.migrate();
  return { ...program(storage), neighbour: () => program(openStorage(place)) };
}

function program(storage: Awaited<ReturnType<typeof openTestStorage>>["storage"]) {
  const perform = createPerform(storage, runtime, { news: () => {}, jobs: () => {} });
  return {
    storage,
    setUp: (team: Partial<NewTeam>) =>
      perform({ kind: "system", teamId: runtime.newId() }, setupTeam, { ...acme, ...team }),
    state: (token: string) => perform({ kind: "system", teamId: runtime.newId() }, getSetupState, { token }),
    teams: async () => (await storage.read((db) => db.all(allTeams, {}))).map(({ name }) => name),
  };
}

const acme: NewTeam = {
  teamName: "Acme",
  ownerName: "Ada",
  email: "ada@acme.test",
  passwordHash: "hash",
  widgetName: "Website",
};

const taken = {
  reason: { name: "invalid", errors: { email: ["An account with this email address already exists."] } },
};
const refusedToken = { reason: { name: "invalid", errors: { token: [expect.any(String)] } } };

const [one, two, three, four] = [
  await freshProgram(),
  await freshProgram(),
  await freshProgram(),
  await freshProgram(),
];

it("a set-up makes a team with an owner, a widget and a key that works", async () => {
  const made = await one.setUp({ apiKeyName: "main" });
  const { apiKey } = createAuthentication(one.storage, runtime.now, () => {});
  const { actor } = await apiKey(made.apiKey);
  expect(actor).toMatchObject({ teamId: made.teamId, agentId: made.agentId });
  expect(await one.setUp({ email: "sam@beta.test", teamName: "Beta" })).not.toHaveProperty("apiKey");
  expect(await one.teams()).toEqual(["Acme", "Beta"]);
});

it("an e-mail that already signs in somewhere is refused, whatever its letter case, and nothing is made", async () => {
  await expect(one.setUp({ teamName: "Copy", email: "ADA@acme.test" })).rejects.toMatchObject(taken);
  expect(await one.teams()).toEqual(["Acme", "Beta"]);
});

it("of set-ups with one e-mail at the same moment, in one process or in two, one passes", async () => {
  const neighbour = two.neighbour();
  const attempts = await Promise.allSettled(
    [...Array(8).keys()].map((index) => (index % 2 ? two : neighbour).setUp({})),
  );
  expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const attempt of attempts) if (attempt.status === "rejected") expect(attempt.reason).toMatchObject(taken);
  expect(await two.teams()).toEqual(["Acme"]);
  await neighbour.storage.close();
});

it("a set-up token works once, and only the latest one", async () => {
  const older = await newSetupToken(three.storage, runtime);
  const token = await newSetupToken(three.storage, runtime);
  expect([await three.state(older ?? ""), await three.state(token ?? ""), await three.state("")]).toEqual([
    "refused",
    "open",
    "refused",
  ]);
  await expect(three.setUp({ setupToken: older })).rejects.toMatchObject(refusedToken);
  const attempts = await Promise.allSettled(
    ["a@x.test", "b@x.test", "c@x.test"].map((email) => three.setUp({ email, setupToken: token })),
  );
  expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await three.state(token ?? "")).toBe("done");
  expect(await newSetupToken(three.storage, runtime)).toBeUndefined();
});

it("a team made at the command line closes the set-up page", async () => {
  const token = await newSetupToken(four.storage, runtime);
  await four.setUp({});
  expect(await four.state(token ?? "")).toBe("done");
  await expect(four.setUp({ email: "eve@x.test", setupToken: token })).rejects.toMatchObject(refusedToken);
  expect(await four.teams()).toEqual(["Acme"]);
});
