import { expect, test } from "vitest";
import { chooseContact } from "./contact-choice.ts";

/** A widget with Vera, who has written from two devices, and Victor, who gave no e-mail. */
const onTheWidget = {
  byId: async (id: string) => ["vera-phone", "vera-laptop", "victor"].find((contact) => contact === id),
  mostRecentByEmail: async (email: string) => (email === "vera@example.com" ? "vera-laptop" : undefined),
};

test.each([
  ["an existing contact_id wins over the e-mail", "vera-phone", "vera@example.com", "vera-phone"],
  ["an existing contact_id needs no e-mail", "victor", undefined, "victor"],
  ["the most recent contact with the e-mail is next", undefined, "vera@example.com", "vera-laptop"],
  ["the e-mail also counts when the contact_id was not found", "nobody", "vera@example.com", "vera-laptop"],
  ["otherwise no contact is known: an unknown contact_id alone", "nobody", undefined, undefined],
  ["otherwise no contact is known: an unknown e-mail", undefined, "new@example.com", undefined],
  ["otherwise no contact is known: neither was sent", undefined, undefined, undefined],
])("%s", async (_title, contactId, email, chosen) => {
  expect(await chooseContact({ contactId, email }, onTheWidget)).toBe(chosen);
});
