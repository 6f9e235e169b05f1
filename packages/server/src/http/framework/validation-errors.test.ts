import { ENDPOINT_URL_PATTERN, PHONE_PATTERN, WEB_URL_PATTERN } from "@frontdesk/core/contract/fields";
import { sentenceOf } from "@frontdesk/core/domain/reasons";
import { expect, test } from "vitest";
import { validationErrors } from "./validation-errors.ts";

test.each([
  ["phone", PHONE_PATTERN, /7 to 15 digits .* Example: \+49/],
  ["endpoint_url", ENDPOINT_URL_PATTERN, /https URL/],
  ["url", WEB_URL_PATTERN, /http or https URL/],
])("a wrong %s is named, and told what is expected", (field, pattern, expected) => {
  const errors = validationErrors([{ keyword: "pattern", instancePath: `/${field}`, params: { pattern } }]);
  expect(Object.keys(errors)).toEqual([field]);
  expect(errors[field]?.map(sentenceOf).join()).toMatch(expected);
});
