import { NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { veraArrives, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";

const { team, clock } = await startTestApp();

test("a contact has the documented attributes and no others", async () => {
  const acme = await team();
  const created = new Date(clock.now()).toISOString();
  const { contactId } = await veraWrites(acme, { email: "vera@example.com", phone: "+4915112345678" });
  clock.advance(60_000);
  const active = new Date(clock.now()).toISOString();
  await veraWrites(acme, { contact_id: contactId });

  const { status, body } = await acme.get(`/contacts/${contactId}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    data: {
      type: "chat-contacts",
      id: contactId,
      attributes: {
        widget_name: "Website",
        widget_id: acme.widgetId,
        team_id: acme.teamId,
        name: "Vera",
        email: "vera@example.com",
        phone: "+4915112345678",
        country_dialing_code: null,
        bgcolor: expect.stringMatching(/^#[0-9a-f]{6}$/),
        location: null,
        browser_type: null,
        country_code: null,
        country: null,
        country_flag: null,
        country_emoji: null,
        page_visited: [],
        online_status: "offline",
        last_active_at: active,
        blocked_at: null,
        is_name_updated: false,
        created_at: created,
        verified_id: null,
        verified_email: null,
        timezone: null,
        language: null,
        ip: null,
        operating_system: null,
      },
    },
  });
});

test("a contact that is unknown, another team's, or no id at all gives 404, with one same body", async () => {
  const [acme, sams] = [await team(), await team()];
  const vera = await veraArrives(acme);
  for (const id of [vera, ...NO_IDS]) {
    const { status, body } = await sams.get(`/contacts/${encodeURIComponent(id)}`);
    expect(status).toBe(404);
    expect(body).toEqual(refused("Contact not found."));
  }
});

test("an id is the same in upper and lower case", async () => {
  const acme = await team();
  const vera = await veraArrives(acme);
  expect((await acme.get(`/contacts/${vera.toUpperCase()}`)).body.data.id).toBe(vera);
});
