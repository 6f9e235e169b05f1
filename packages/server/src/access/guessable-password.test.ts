/** Which passwords are refused, and where the refusal is shown (docs/decisions/0032-passwords.md). */
import { reasonText } from "@frontdesk/core/domain/reasons";
import { invalid } from "@frontdesk/testing/rest-answers";
import { asPage, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";
import { setAgentPassword } from "../agents/agent-store.ts";
import { requestPasswordReset } from "../sessions/request-password-reset.ts";
import { hashPassword, passwordProblem } from "./password.ts";

const kit = await startTestApp();
const { app, team, storage, runtime } = kit;
const ada = { name: "Ada Lovelace", email: "ada.l@analytical.test", teamName: "Engine Works" };
const EASY = reasonText["password-guessable"];
const PERSONAL = reasonText["password-personal"];

test.each([
  ["a common one", "password"],
  ["a common one, written otherwise", "PassWord"],
  ["a common one between blanks", " 12345678 "],
  ["a common one in full width", "ｐａｓｓｗｏｒｄ"],
  ["eight blanks", "        "],
  ["blanks of another kind", "\u3000".repeat(8)],
  ["one character", "xxxxxxxxxxxx"],
  ["two in turn", "xyxyxyxyx"],
  ["a short pattern again and again", "k9z!k9z!k9z!"],
  ["the alphabet", "cdefghijkl"],
  ["counted down", "hgfedcba"],
])("%s is too easy to guess: %j", (_name, password) => {
  expect(passwordProblem(password, ada)).toBe("password-guessable");
});

test.each([
  "Ada Lovelace",
  "adalovelace",
  "lovelace",
  "Lovelace1990!",
  "1990-Lovelace",
  "ada.l@analytical.test",
  "ADA.L@ANALYTICAL.TEST",
  "analytical",
  "engine works",
  "EngineWorks2026",
])("what others know of its owner is no password: %s", (password) => {
  expect(passwordProblem(password, ada)).toBe("password-personal");
  expect(passwordProblem(password)).toBeUndefined();
});

test.each([
  "correct horse",
  "Ada Lovelace counts frogs",
  "works at the engine",
  "häuser am see",
  "четыре слова тут",
  "xyxyxyxyxq",
])("a phrase is one, also with the owner's name in it: %s", (password) => {
  expect(passwordProblem(password, ada)).toBeUndefined();
});

test("an agent whose name is one letter can use it", () => {
  expect(passwordProblem("a quiet evening", { name: "A", email: "a@b.test", teamName: "" })).toBeUndefined();
});

describe("a weak password is refused on its field, and the one before goes on working,", () => {
  const WEAK = [
    ["password", EASY],
    ["acme1234", PERSONAL],
  ] as const;

  test("when it is changed", async () => {
    const acme = await team();
    const mia = await signedIn(kit, acme);
    const password_hash = await hashPassword("purple monkey");
    const itself = { team_id: acme.teamId, id: mia.actor.agentId, password_hash };
    await storage.write(acme.teamId, (db) => db.run(setAgentPassword, itself));
    for (const [new_password, said] of WEAK) {
      const answer = await mia.post("/me/password", { current_password: "purple monkey", new_password });
      expect(answer).toMatchObject({ status: 422, body: invalid("new_password") });
      expect(answer.body.errors.new_password).toEqual([said]);
    }
    const taken = { current_password: "purple monkey", new_password: "a river at night" };
    expect((await mia.post("/me/password", taken)).status).toBe(200);
  });

  test("when it is chosen by a link", async () => {
    const acme = await team();
    const mia = await signedIn(kit, acme);
    const asked = { agentId: mia.actor.agentId, resetUrl: (token: string) => token, mail: false };
    const { link: token } = await app.perform(acme.actor, requestPasswordReset, asked);
    for (const [password, said] of [...WEAK, [`${mia.name}${mia.name}`, "at least 8"], [mia.email, PERSONAL]]) {
      const { status, body } = await asPage(kit, "POST", "/password-reset/confirm", { body: { token, password } });
      expect([status, body.errors?.password?.[0]]).toEqual([422, expect.stringContaining(said as string)]);
    }
    const taken = { body: { token, password: "a river at night" } };
    expect((await asPage(kit, "POST", "/password-reset/confirm", taken)).status).toBe(200);
  });

  test("when an agent joins", async () => {
    const acme = await team();
    const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
    const email = `hopper-${runtime.newId()}@navy.test`;
    const { body } = await abe.post("/v1/agents/invite", { agents: [email] });
    const token = /\/join\/(\w+)/.exec(body.message)?.[1];
    for (const [password, said] of [...WEAK, ["gracehopper", PERSONAL], [email, PERSONAL]] as const) {
      const chosen = { name: "Grace Hopper", password };
      const answer = await asPage(kit, "POST", `/join/${token}`, { body: chosen });
      expect([answer.status, answer.body.errors]).toEqual([422, { password: [said] }]);
    }
  });
});
