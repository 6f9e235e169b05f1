import { expect, test } from "vitest";
import { relayMessageId } from "./relay-message-id.ts";

const SES_ID = "0102018f2c3d4e5f-6a7b8c9d-0e1f-4a2b-8c3d-4e5f6a7b8c9d-000000";
const UUID = "0a129aee-e1cd-480d-b08d-4f48548ff48d";

test.each([
  ["email-smtp.eu-west-1.amazonaws.com", `250 Ok ${SES_ID}`, `<${SES_ID}@eu-west-1.amazonses.com>`],
  ["email-smtp.us-east-1.amazonaws.com", `250 Ok ${SES_ID}`, `<${SES_ID}@email.amazonses.com>`],
  ["smtp.postmarkapp.com", `250 2.6.0 Message accepted as ${UUID}`, `<${UUID}@mtasv.net>`],
  ["smtp.gmail.com", `250 2.0.0 OK ${UUID}`, undefined],
  ["email-smtp.eu-west-1.amazonaws.com.evil.example", `250 Ok ${SES_ID}`, undefined],
  ["email-smtp.eu-west-1.amazonaws.com", "250 Ok", undefined],
])("at %s, %s", (host, response, id) => {
  expect(relayMessageId(host, response)).toBe(id);
});
