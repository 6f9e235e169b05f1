import { FrontdeskError } from "@frontdesk/client";
import { expect, test } from "vitest";
import { fieldReasonsIn, isUnanswered, reasonIn, ServiceError } from "./service-error.ts";

const REFUSED = {
  message: "Some fields are invalid.",
  reason: "invalid",
  errors: { name: ["Please use at most 40 characters."], email: ["This field is required."] },
  reasons: {
    name: [{ reason: "too-long", values: { max: 40 } }],
    email: [{ reason: "schema.required" }],
  },
};

test.each([
  ["the session's requests", new ServiceError(422, REFUSED)],
  ["the REST client", new FrontdeskError({ status: 422, message: REFUSED.message, body: REFUSED })],
])("what %s were refused has a reason at each field, and the first of them stands for the whole", (_who, error) => {
  const name = { message: "Please use at most 40 characters.", reason: "too-long", values: { max: 40 } };
  expect(fieldReasonsIn(error)).toEqual({
    name: [name],
    email: [{ message: "This field is required.", reason: "schema.required" }],
  });
  expect(reasonIn(error)).toEqual(name);
  expect(isUnanswered(error)).toBe(false);
});

test("an answer of a proxy in the service's place has no reason, and no answer at all is a different error", () => {
  expect(reasonIn(new ServiceError(502, {}))).toBeUndefined();
  expect(fieldReasonsIn(new ServiceError(502, {}))).toEqual({});
  expect(reasonIn(new TypeError("A fault of the page."))).toBeUndefined();
  expect(isUnanswered(new ServiceError(0, {}))).toBe(true);
  expect(isUnanswered(new FrontdeskError({ status: 0, message: "The service could not be reached." }))).toBe(true);
});
