/**
 * Errors by reason: on the private APIs with each sentence, on the REST API nowhere (docs/decisions/0042-one-http-contract.md).
 */
import { PrivateErrorBody } from "@frontdesk/core/contract";
import { BulkResult } from "@frontdesk/core/contract/inbox";
import { reasonText } from "@frontdesk/core/domain/reasons";
import { problemsOf } from "@frontdesk/testing/ajv";
import { NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { asPage, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";

const kit = await startTestApp();
const { app, team } = kit;
const LONG = "x".repeat(400);

describe("on a private API a refusal says its reason", () => {
  test("of the whole", async () => {
    const { status, body } = await asPage(kit, "POST", "/sign-in", { body: { email: "a@b.test", password: "x" } });
    expect({ status, body }).toEqual({
      status: 401,
      body: { message: reasonText["wrong-sign-in"], reason: "wrong-sign-in" },
    });
  });

  test("of each field that its schema refuses, with the values of the sentence", async () => {
    const { status, body } = await asPage(kit, "POST", "/sign-in", { body: { email: LONG } });
    expect({ status, body }).toEqual({
      status: 422,
      body: {
        message: reasonText.invalid,
        errors: { email: ["Must have at most 254 characters."], password: [reasonText["schema.required"]] },
        reason: "invalid",
        reasons: {
          email: [{ reason: "schema.max-length", values: { max: 254 } }],
          password: [{ reason: "schema.required" }],
        },
      },
    });
    expect(problemsOf(PrivateErrorBody, body)).toEqual([]);
  });

  test("of a field that the product refuses", async () => {
    const mia = await signedIn(kit, await team());
    const { body } = await mia.post("/me/password", { current_password: "no", new_password: "a river at night" });
    expect(body).toMatchObject({ reasons: { current_password: [{ reason: "wrong-password" }] } });
  });

  test("in the REST API of who is signed in, as everywhere below /app/api", async () => {
    const mia = await signedIn(kit, await team());
    const { status, body } = await mia.get(`/v1/contacts/${NO_IDS[0]}`);
    expect({ status, body }).toEqual({
      status: 404,
      body: { message: "Contact not found.", reason: "not-found.contact" },
    });
  });

  test("of each conversation that an act on many leaves out", async () => {
    const mia = await signedIn(kit, await team());
    const [missing] = NO_IDS;
    const { body } = await mia.post("/inbox/bulk/resolve", { conversation_ids: [missing] });
    const failed = [{ id: missing, message: "Conversation not found.", reason: "not-found.conversation" }];
    expect(body).toEqual({ done: [], failed });
    expect(problemsOf(BulkResult, body)).toEqual([]);
  });

  test("to a visitor", async () => {
    const { widgetId } = await team();
    const answer = await app.http.inject({
      method: "POST",
      url: `/visitor/${widgetId}/messages`,
      headers: { authorization: "Bearer fd_no" },
      payload: { content: "Hi" },
    });
    expect(answer.json()).toMatchObject({ reason: "no-token" });
  });
});

test("the REST API answers with the sentence alone", async () => {
  const acme = await team();
  expect((await acme.get(`/contacts/${NO_IDS[0]}`)).body).toEqual(refused("Contact not found."));
  const { body } = await acme.post("/webhooks", { name: LONG });
  expect(Object.keys(body)).toEqual(["message", "errors"]);
});
