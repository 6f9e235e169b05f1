/** Joining a team by an invitation link (docs/decisions/0011-invitations.md). */
import { invalid } from "@frontdesk/testing/rest-answers";
import { asPage } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { newToken } from "../../access/token.ts";
import { INVITATION_LIFE_MS } from "../../agents/invite-agents.ts";

const kit = await startTestApp();
const { team, clock, runtime } = kit;
const GRACE = { name: "Grace", password: "correct horse" };

async function invitation(acme: TestTeam): Promise<string> {
  const { body } = await acme.post("/agents/invite", { agents: ["grace@acme.test"] });
  return /\/app\/join\/(\w+)/.exec(body.message)?.[1] ?? "";
}

const at = (method: string, token: string, body?: object) => asPage(kit, method, `/join/${token}`, { body });

test("of two who use one link at the same moment, one joins", async () => {
  const token = await invitation(await team());
  const answers = await Promise.all([at("POST", token, GRACE), at("POST", token, GRACE)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
});

test("a missing name and a weak password are reported at once, and the link goes on working", async () => {
  const token = await invitation(await team());
  expect(await at("POST", token, { name: " ", password: "12345678" })).toMatchObject({
    status: 422,
    body: { ...invalid("name", "password"), reasons: { password: [{ reason: "password-guessable" }] } },
  });
  expect((await at("POST", token, GRACE)).status).toBe(200);
});

test("a link that is false, another team's or too old is gone", async () => {
  const acme = await team();
  const token = await invitation(acme);
  const foreign = newToken("invite", runtime.newId(), runtime.random);
  const unknown = newToken("invite", acme.teamId, runtime.random);
  for (const wrong of ["x", "x".repeat(500), `${token}x`, foreign, unknown]) {
    for (const answer of [await at("GET", wrong), await at("POST", wrong, GRACE)]) {
      expect(answer).toMatchObject({ status: 404, body: { reason: "not-found.invitation" } });
    }
  }
  expect((await at("GET", token)).status).toBe(200);
  clock.advance(INVITATION_LIFE_MS);
  expect((await at("GET", token)).status).toBe(404);
});
