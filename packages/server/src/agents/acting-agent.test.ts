/** Who did it, wherever a doer is shown (decision 47): one rule, tested by resolving and by tagging. */

import { ActedBy } from "@frontdesk/core/contract/events";
import { problemsOf } from "@frontdesk/testing/ajv";
import { deactivate } from "@frontdesk/testing/deactivate-agent";
import { graceJoins } from "@frontdesk/testing/grace";
import { NO_IDS } from "@frontdesk/testing/rest-answers";
import { dump } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventsOf, veraWrites } from "@frontdesk/testing/vera";
import { beforeAll, describe, expect, test } from "vitest";
import type { Actor } from "../access/actor.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";
import { addTag } from "../tags/add-tag.ts";
import type { NamedDoer } from "./acting-agent.ts";

const kit = await startTestApp();
const { app, storage, runtime, team } = kit;

/** What the event that resolves says of who did it. */
async function resolvedBy(acme: TestTeam, actor: Actor, named: NamedDoer): Promise<unknown> {
  const { conversationId } = await veraWrites(acme);
  const [event] = await eventsOf(acme, () =>
    app.perform(actor, setConversationStatus, { conversationId, status: "resolved", ...named }),
  );
  return event?.data.resolved_by;
}

/** What the event that tags says of who did it. */
async function taggedBy(acme: TestTeam, named?: NamedDoer): Promise<unknown> {
  const { conversationId } = await veraWrites(acme);
  const events = await eventsOf(acme, () => app.perform(acme.actor, addTag, { conversationId, name: "x", by: named }));
  return events.at(-1)?.data.assigned_by;
}

describe("who did it", () => {
  let acme: TestTeam;
  let grace: Awaited<ReturnType<typeof graceJoins>>;
  beforeAll(async () => {
    acme = await team();
    grace = await graceJoins(kit, acme);
  });

  test("is the system when it acts and no agent is named", async () => {
    const said = [await resolvedBy(acme, acme.actor, { agentId: undefined }), await taggedBy(acme)];
    expect(said).toEqual([{ system: {} }, { system: {} }]);
    for (const by of said) expect(problemsOf(ActedBy, by)).toEqual([]);
  });

  test("is the agent who created the API key when a key acts and no agent is named", async () => {
    const scopes = ["conversations:write"] as const;
    const key: Actor = { kind: "api-key", teamId: acme.teamId, keyId: runtime.newId(), agentId: grace.id, scopes };
    expect(await resolvedBy(acme, key, { agentId: undefined })).toEqual({ agent: grace });
  });

  test("is the agent who is named, with the name and e-mail of the row", async () => {
    const said = [
      await resolvedBy(acme, acme.actor, { agentId: grace.id }),
      await taggedBy(acme, { agentId: grace.id.toUpperCase() }),
    ];
    expect(said).toEqual([{ agent: grace }, { agent: grace }]);
    for (const by of said) expect(problemsOf(ActedBy, by)).toEqual([]);
  });

  test("is the automation that is named, by its id and name and nothing else", async () => {
    const automation = { id: runtime.newId(), name: "Tag by topic" };
    const more = { ...automation, secret: "not yours" };
    const said = [await resolvedBy(acme, acme.actor, { automation: more }), await taggedBy(acme, { automation: more })];
    expect(said).toEqual([{ automation }, { automation }]);
    for (const by of said) expect(problemsOf(ActedBy, by)).toEqual([]);
  });

  test("is never an agent who is deactivated, unknown, or another team's: that is refused, and nothing is done", async () => {
    const sams = await team();
    await deactivate(storage, acme.teamId, grace.id);
    const { conversationId } = await veraWrites(acme);
    const before = await dump(storage);
    for (const agentId of [grace.id, sams.ada.id, "", ...NO_IDS]) {
      const refused = { reason: { name: "invalid", errors: { agent_id: [expect.any(String)] } } };
      const status = { conversationId, status: "resolved", agentId } as const;
      await expect(app.perform(acme.actor, setConversationStatus, status)).rejects.toMatchObject(refused);
      const tag = { conversationId, name: "x", by: { agentId } };
      await expect(app.perform(acme.actor, addTag, tag)).rejects.toMatchObject(refused);
    }
    expect(await dump(storage)).toBe(before);
  });
});
