/** Setting up a fresh installation, as the dashboard's page does it (docs/decisions/0048-first-screens.md). */
import { Me } from "@frontdesk/core/contract/session";
import { problemsOf } from "@frontdesk/testing/ajv";
import { invalid } from "@frontdesk/testing/rest-answers";
import { asPage, cookieOf } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestApp } from "@frontdesk/testing/test-kit";
import { beforeEach, expect, test } from "vitest";
import { newSetupToken } from "../../setup/setup-token.ts";
import { allTeams } from "../../teams/team-store.ts";

const filled = {
  team_name: " Ada & Söhne <b> ",
  name: "Ada",
  email: " ada@acme.test ",
  password: "correct horse battery",
  widget_name: "Website",
};

let kit: TestApp;
let token: string;

beforeEach(async () => {
  kit = await startTestApp();
  token = (await newSetupToken(kit.storage, kit.runtime)) ?? "";
});

const stateOf = async (asked: string) =>
  (await asPage(kit, "POST", "/setup/state", { body: { token: asked } })).body.state;
const setUp = (body: object) => asPage(kit, "POST", "/setup", { body: { token, ...filled, ...body } });
const teams = () => kit.storage.read((db) => db.all(allTeams, {}));

test("a set-up creates the team with its owner and a widget, and signs the owner in, without an API key", async () => {
  const answer = await setUp({});
  expect(answer).toMatchObject({ status: 200, headers: { "cache-control": "no-store" } });
  expect(problemsOf(Me, answer.body)).toEqual([]);
  expect(answer.body).toMatchObject({
    agent: { name: "Ada", email: "ada@acme.test", role: "CHAT_AGENT_OWNER" },
    team: { name: "Ada & Söhne <b>" },
  });
  const headers = { cookie: cookieOf(answer) ?? "" };
  const get = async (path: string) => (await asPage(kit, "GET", path, { headers })).body;
  expect(await get("/me")).toEqual(answer.body);
  expect((await get("/v1/widgets")).data).toMatchObject([{ attributes: { name: "Website" } }]);
  expect((await get("/keys")).keys).toEqual([]);
});

test("the link works for the latest token alone, and no link works once there is a team", async () => {
  const older = token;
  token = (await newSetupToken(kit.storage, kit.runtime)) ?? "";
  expect([await stateOf(""), await stateOf("x"), await stateOf(older), await stateOf(token)]).toEqual([
    "refused",
    "refused",
    "refused",
    "open",
  ]);
  for (const wrong of ["", "x", older]) {
    // Before anything else is looked at: only the holder of the link makes us hash a password.
    expect(await setUp({ token: wrong, password: "short" })).toMatchObject({ status: 422, body: invalid("token") });
  }
  expect(await teams()).toEqual([]);
  expect((await setUp({})).status).toBe(200);
  expect([await stateOf(""), await stateOf(token)]).toEqual(["done", "done"]);
  expect(await setUp({ email: "eve@x.test" })).toMatchObject({ status: 422, body: invalid("token") });
  expect(await teams()).toHaveLength(1);
});

test("of set-ups by one link at the same moment, one passes", async () => {
  const answers = await Promise.all(["a@x.test", "b@x.test", "c@x.test"].map((email) => setUp({ email })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
  expect(await teams()).toHaveLength(1);
});

test("everything that is wrong is reported at once, each at its field, and the link goes on working", async () => {
  const wrong = { team_name: " ", name: "A\u0007da", email: "ada@", password: "short", widget_name: "\t" };
  const answer = await setUp(wrong);
  expect(answer).toMatchObject({ status: 422, body: invalid(...Object.keys(wrong)) });
  expect(answer.body.reasons).toMatchObject({
    team_name: [{ reason: "empty" }],
    email: [{ reason: "not-an-email" }],
    password: [{ reason: "password-too-short", values: { min: 8 } }],
  });
  expect([await stateOf(token), await teams()]).toEqual(["open", []]);
});

test.each([
  ["12345678", "password-guessable"],
  ["Password", "password-guessable"],
  ["ada@acme.test", "password-personal"],
  ["Ada&Söhne B 1", "password-personal"],
])("a password that others would try first is refused: %s", async (password, reason) => {
  const { status, body } = await setUp({ password });
  expect([status, body.reasons]).toEqual([422, { password: [{ reason }] }]);
});

test("a field that is missing is an error on that field", async () => {
  for (const field of Object.keys(filled)) {
    expect(await setUp({ [field]: undefined })).toMatchObject({ status: 422, body: invalid(field) });
  }
});
