/** GET /agents/{id} (decision 24). */

import { NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const { team } = await startTestApp();

test("an agent of the team is answered as the list shows it", async () => {
  const acme = await team();
  const { status, body } = await acme.get(`/agents/${acme.ada.id}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    data: {
      type: "agent-user",
      id: acme.ada.id,
      attributes: {
        email: acme.ada.email,
        name: "Ada",
        status: "active",
        online_status: "offline",
        profile_photo_url: null,
        resized_profile_photo_url: null,
        role: "CHAT_AGENT_OWNER",
      },
    },
  });
  expect((await acme.get("/agents")).body.data).toEqual([body.data]);
  expect((await acme.get(`/agents/${acme.ada.id.toUpperCase()}`)).body).toEqual(body);
});

test("an agent that is unknown, another team's, or no id at all gives 403, with one same body", async () => {
  const [acme, sams] = [await team(), await team()];
  for (const id of [acme.ada.id, ...NO_IDS]) {
    const { status, body } = await sams.get(`/agents/${encodeURIComponent(id)}`);
    expect(status).toBe(403);
    expect(body).toEqual(refused("Agent not found."));
  }
});
