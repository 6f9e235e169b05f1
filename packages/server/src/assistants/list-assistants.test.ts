/** GET /assistants, GET /assistants/{assistant} and GET /assistants/permissions. */
import { listedTools } from "@frontdesk/core/contract";
import { assistantPermissionNames, readingPermissions } from "@frontdesk/core/domain/assistant-permissions";
import { robinJoins } from "@frontdesk/testing/assistant-at-work";
import { specifyList } from "@frontdesk/testing/list-promises";
import { idsOf, NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const { team, clock } = await startTestApp();

specifyList({
  usual: 20,
  most: 100,
  async fill(rows) {
    const acme = await team();
    const ids: string[] = [];
    while (ids.length < rows) ids.push((await robinJoins(acme)).id);
    return { team: acme, path: "/assistants", ids };
  },
});

test("connections are listed by the time they were made, revoked ones among them, and without their tokens", async () => {
  const acme = await team();
  const made: { id: string; token: string }[] = [];
  for (const pause of [0, 0, 60_000]) {
    clock.advance(pause);
    made.push(await robinJoins(acme));
  }
  await acme.post(`/assistants/${made[1]?.id}/revoke`);
  const answer = await acme.get("/assistants");
  expect(idsOf(answer)).toEqual(made.map(({ id }) => id));
  const states = answer.body.data.map(({ attributes }: { attributes: { state: string } }) => attributes.state);
  expect(states).toEqual(["active", "revoked", "active"]);
  expect(answer.body.data[0]).toEqual((await acme.get(`/assistants/${made[0]?.id}`)).body.data);
  expect(JSON.stringify(answer.body)).not.toContain("fd_assistant_");
  expect(answer.body.data[0].attributes.token_ending).toBe(made[0]?.token.slice(-4));
});

test("another team's connection, and what is no id, answer 404 in the same words", async () => {
  const [acme, sams] = [await team(), await team()];
  const { id } = await robinJoins(acme);
  for (const unknown of [id, id.toUpperCase(), ...NO_IDS]) {
    const answer = await sams.get(`/assistants/${encodeURIComponent(unknown)}`);
    expect(answer).toMatchObject({ status: 404, body: refused("Assistant not found.") });
  }
  expect((await acme.get(`/assistants/${id.toUpperCase()}`)).body.data.id).toBe(id);
});

test("the permissions to grant are listed with their words, which of them only read, and the tools that each opens", async () => {
  const acme = await team();
  const { status, body } = await acme.get("/assistants/permissions");
  expect(status).toBe(200);
  expect(body.data.map(({ value }: { value: string }) => value)).toEqual(assistantPermissionNames);
  for (const { value, only_reads, tools: opened, ...words } of body.data) {
    expect(only_reads, value).toBe(readingPermissions.includes(value));
    const names = opened.map(({ name }: { name: string }) => name);
    expect(names, value).toEqual(listedTools({ permissions: [value] }).map(({ name }) => name));
    expect(words).toEqual({ label: expect.stringMatching(/^[A-Z]/), explanation: expect.stringMatching(/\.$/) });
  }
  const asking = body.data.flatMap(({ tools: opened }: { tools: { name: string; asks_first: boolean }[] }) =>
    opened.filter(({ asks_first }) => asks_first).map(({ name }) => name),
  );
  expect(asking.toSorted()).toEqual([
    "assign-conversation",
    "remove-custom-data",
    "remove-tag",
    "resolve-conversation",
    "unresolve-conversation",
  ]);
});
