import { invalid, NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { contactOf, eventsOf, veraArrives, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";

const { team, clock } = await startTestApp();

test("the answer is a message and the whole contact as it is now", async () => {
  const acme = await team();
  const vera = await veraArrives(acme);
  const before = await contactOf(acme, vera);
  const change = { name: "Vera Voss", email: "vera@example.com", phone: "+4915112345678" };

  const { status, body } = await acme.put(`/contacts/${vera}`, change);
  expect(status).toBe(200);
  expect(body).toEqual({
    message: "Contact updated.",
    data: { type: "chat-contacts", id: vera, attributes: { ...before, ...change, is_name_updated: true } },
  });
  expect(await contactOf(acme, vera)).toEqual(body.data.attributes);
});

test.each<[Record<string, string>, boolean]>([
  [{ name: "Verena" }, true],
  [{ email: "verena@example.com" }, false],
  [{ phone: "0301234" }, false],
  [{ email: "verena@example.com", phone: "0301234" }, false],
  [{ name: "Verena", nickname: "V" }, true],
])("the fields that are sent are set and the others stay: %j", async ({ nickname: _, ...change }, renamed) => {
  const acme = await team();
  const vera = await veraArrives(acme, { email: "vera@example.com", phone: "+4915112345678" });
  const before = await contactOf(acme, vera);
  expect((await acme.put(`/contacts/${vera}`, change)).status).toBe(200);
  expect(await contactOf(acme, vera)).toEqual({ ...before, ...change, is_name_updated: renamed });
});

test("only a changed name sets is_name_updated, and it stays set", async () => {
  const acme = await team();
  const vera = await veraArrives(acme);
  await acme.put(`/contacts/${vera}`, { name: "Vera", phone: "0301234" });
  expect((await contactOf(acme, vera)).is_name_updated).toBe(false);
  await acme.put(`/contacts/${vera}`, { name: "Verena" });
  await acme.put(`/contacts/${vera}`, { name: "Verena", phone: "0304321" });
  expect((await contactOf(acme, vera)).is_name_updated).toBe(true);
});

test("contact.updated holds what was changed, before and after, and the page Vera looks at", async () => {
  const acme = await team();
  const vera = await veraArrives(acme, {
    phone: "0301234",
    page_visited: [
      { page: "https://acme.test/", date: "2026-11-20T08:58:00.000Z" },
      { page: "https://acme.test/pricing", date: "2026-11-20T08:59:00.000Z" },
    ],
  });
  const [event, ...others] = await eventsOf(acme, () =>
    acme.put(`/contacts/${vera}`, { name: "Vera", email: "vera@example.com", phone: "0304321" }),
  );
  expect(others).toEqual([]);
  expect(event).toMatchObject({ name: "contact.updated", contact_id: vera, occurred_at: clock.now() });
  expect(event?.data).toEqual({
    visitor: { id: vera, name: "Vera", email: "vera@example.com", phone: "0304321" },
    updated_fields: ["email", "phone"],
    previous_values: { email: null, phone: "0301234" },
    current_values: { email: "vera@example.com", phone: "0304321" },
    source: "https://acme.test/pricing",
  });
});

test("values that are already so are answered with 200 and record no event", async () => {
  const acme = await team();
  const vera = await veraArrives(acme, { phone: "0301234" });
  const before = await contactOf(acme, vera);
  const events = await eventsOf(acme, async () => {
    expect((await acme.put(`/contacts/${vera}`, { name: "Vera", phone: "0301234" })).status).toBe(200);
  });
  expect(events).toEqual([]);
  expect(await contactOf(acme, vera)).toEqual(before);
});

test("a contact is found by its new e-mail, and by the old one no more", async () => {
  const acme = await team();
  const vera = await veraArrives(acme, { email: "vera@old.test" });
  await acme.put(`/contacts/${vera}`, { email: "Vera@New.test" });
  expect((await veraWrites(acme, { email: "vera@new.test" })).contactId).toBe(vera);
  expect((await veraWrites(acme, { email: "vera@old.test" })).contactId).not.toBe(vera);
});

test.each([
  [{}, ["body"]],
  [{ nickname: "V" }, ["name", "email", "phone"]],
  [{ name: "" }, ["name"]],
  [{ name: null }, ["name"]],
  [{ name: 7 }, ["name"]],
  [{ email: "vera" }, ["email"]],
  [{ email: "" }, ["email"]],
  [{ email: null }, ["email"]],
  [{ phone: "" }, ["phone"]],
  [{ phone: "123456" }, ["phone"]],
  [{ phone: "1234567890123456" }, ["phone"]],
  [{ phone: "+49 151 12345678" }, ["phone"]],
  [{ phone: 1234567 }, ["phone"]],
  [{ name: "Verena", email: "vera", phone: "1" }, ["email", "phone"]],
])("what breaks a rule gives 422 with the field named, and changes nothing: %j", async (change, fields) => {
  const acme = await team();
  const vera = await veraArrives(acme);
  const before = await contactOf(acme, vera);
  const { status, body } = await acme.put(`/contacts/${vera}`, change);
  expect(status).toBe(422);
  expect(body).toEqual(invalid(...fields));
  expect(await contactOf(acme, vera)).toEqual(before);
});

test.each(["1234567", "+1234567", "123456789012345", "+123456789012345"])(
  "a phone has 7 to 15 digits with an optional leading +: %s",
  async (phone) => {
    const acme = await team();
    const vera = await veraArrives(acme);
    expect((await acme.put(`/contacts/${vera}`, { phone })).body.data.attributes.phone).toBe(phone);
  },
);

test("a contact that is unknown, another team's, or no id at all gives 404, with one same body", async () => {
  const [acme, sams] = [await team(), await team()];
  const vera = await veraArrives(acme);
  for (const id of [vera, ...NO_IDS]) {
    const { status, body } = await sams.put(`/contacts/${encodeURIComponent(id)}`, { name: "Sam was here" });
    expect(status).toBe(404);
    expect(body).toEqual(refused("Contact not found."));
  }
  expect((await contactOf(acme, vera)).name).toBe("Vera");
});
