/** GET /webhooks and GET /webhooks/events. */

import { specifyList } from "@frontdesk/testing/list-promises";
import { idsOf } from "@frontdesk/testing/rest-answers";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const { team, clock } = await startTestApp();
const orders = { endpoint_url: "https://hooks.acme.test/", events: ["message.received"] };

specifyList({
  usual: 20,
  most: 100,
  async fill(rows) {
    const acme = await team();
    const ids: string[] = [];
    while (ids.length < rows) ids.push(await subscribe(acme));
    return { team: acme, path: "/webhooks", ids };
  },
});

test("subscriptions are listed by the time they were made, then by id, and without their secrets", async () => {
  const acme = await team();
  const made: string[] = [];
  for (const pause of [0, 0, 60_000]) {
    clock.advance(pause);
    made.push(await subscribe(acme));
  }
  const answer = await acme.get("/webhooks");
  expect(idsOf(answer)).toEqual(made);
  expect(answer.body.data[0]).toEqual((await acme.get(`/webhooks/${made[0]}`)).body.data);
  expect(JSON.stringify(answer.body)).not.toContain("whsec_");
});

test("a team sees no subscription of another team", async () => {
  const [acme, sams] = [await team(), await team()];
  await subscribe(acme);
  const { body } = await sams.get("/webhooks");
  expect(body.data).toEqual([]);
  expect(body.meta.pagination.total).toBe(0);
});

test("GET /webhooks/events lists every event that can be subscribed to, with a label and a description", async () => {
  const acme = await team();
  const { status, body } = await acme.get("/webhooks/events");
  expect(status).toBe(200);
  const values = [
    "message.received",
    "message.sent",
    "conversation.created",
    "conversation.resolved",
    "tag.assigned",
    "tag.removed",
    "custom.data.assigned",
    "custom.data.removed",
    "agent.assigned",
    "contact.updated",
    "contact.erased",
  ];
  expect(body).toEqual({
    data: values.map((value) => ({
      value,
      label: expect.stringMatching(/\S/),
      description: expect.stringMatching(/\S/),
    })),
  });
});

async function subscribe(acme: TestTeam): Promise<string> {
  const { status, body } = await acme.post("/webhooks", orders);
  expect(status).toBe(201);
  return body.data.id;
}
