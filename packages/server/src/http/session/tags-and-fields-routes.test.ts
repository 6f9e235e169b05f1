/** The team's tags and custom fields themselves: created, renamed, merged, removed. Below `/app/api`, for admins. */

import { sessionOperations } from "@frontdesk/core/contract/session";
import { problemsOf } from "@frontdesk/testing/ajv";
import { invalid, NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { dump } from "@frontdesk/testing/second-app";
import { type SignedIn, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventsOf, veraArrives, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";

const kit = await startTestApp();
const { team, storage } = kit;

/** A team, and Abe, an admin of it. */
async function acmeAndAbe(): Promise<{ acme: TestTeam; abe: SignedIn }> {
  const acme = await team();
  return { acme, abe: await signedIn(kit, acme, "CHAT_AGENT_ADMIN") };
}

/** A conversation with these tags, which are created by their first use. */
async function tagged(acme: TestTeam, ...names: string[]): Promise<string> {
  const { conversationId } = await veraWrites(acme);
  for (const name of names) await acme.post(`/conversations/${conversationId}/tags`, { name, color: "teal" });
  return conversationId;
}

const tagsOn = async (abe: SignedIn, conversationId: string) => {
  const { body } = await abe.get(`/inbox/conversations/${conversationId}`);
  return body.conversation.tags.map(({ name, color }: { name: string; color: string }) => `${name}/${color}`);
};
const idOf = async (acme: TestTeam, list: "/tags" | "/custom-fields", name: string): Promise<string> => {
  const { body } = await acme.get(`${list}?limit=100`);
  return body.data.find(({ attributes }: { attributes: { name: string } }) => attributes.name === name).id;
};
const TAKEN = { name: ["A tag with this name already exists."] };

describe("tags", () => {
  test("are listed by name, with how many conversations have them", async () => {
    const { acme, abe } = await acmeAndAbe();
    expect((await abe.get("/tags")).body).toEqual({ tags: [] });
    await tagged(acme, "refund", "Äpfel");
    await tagged(acme, "refund");
    await abe.post("/tags", { name: "zoo" });
    const { status, body } = await abe.get("/tags");
    expect([status, problemsOf(sessionOperations.listTagUse.responses[200].body, body)]).toEqual([200, []]);
    expect(body.tags).toMatchObject([
      { name: "Äpfel", color: "teal", conversations: 1 },
      { name: "refund", color: "teal", conversations: 2 },
      { name: "zoo", color: null, conversations: 0 },
    ]);
  });

  test("are made without a conversation; a name that folds to one which is there is refused", async () => {
    const { acme, abe } = await acmeAndAbe();
    const events = await eventsOf(acme, async () => {
      const { status, body } = await abe.post("/tags", { name: " Größe ", color: "#0a7d55" });
      expect([status, problemsOf(sessionOperations.createTag.responses[201].body, body)]).toEqual([201, []]);
      expect(body.tag).toMatchObject({ name: "Größe", color: "#0a7d55" });
    });
    expect(events).toMatchObject([
      { name: "tag.created", actor: { kind: "agent", id: abe.actor.agentId }, data: { tag: { name: "Größe" } } },
    ]);
    const before = await dump(storage);
    expect(await abe.post("/tags", { name: "GRÖẞE" })).toMatchObject({ status: 422, body: { errors: TAKEN } });
    expect(await abe.post("/tags", { name: "  " })).toMatchObject({ status: 422, body: invalid("name") });
    expect(await abe.post("/tags", { name: "a\nb" })).toMatchObject({ status: 422, body: invalid("name") });
    expect(await dump(storage)).toBe(before);
  });

  test("are called otherwise and have another color wherever they are, with one event", async () => {
    const { acme, abe } = await acmeAndAbe();
    const conversationId = await tagged(acme, "refund", "vip");
    const id = await idOf(acme, "/tags", "refund");
    const events = await eventsOf(acme, async () => {
      const { status, body } = await abe.patch(`/tags/${id}`, { name: " Money back ", color: "#c0262d" });
      expect([status, problemsOf(sessionOperations.updateTag.responses[200].body, body)]).toEqual([200, []]);
      expect(body).toEqual({ tag: { id, name: "Money back", color: "#c0262d" } });
    });
    expect(events).toMatchObject([
      {
        name: "tag.updated",
        conversation_id: null,
        data: {
          tag: { id, name: "Money back", color: "#c0262d" },
          before: { name: "refund", color: "teal" },
        },
      },
    ]);
    expect(await tagsOn(abe, conversationId)).toEqual(["Money back/#c0262d", "vip/teal"]);
    // Adding it under its new name finds it, and under its old one creates another.
    await acme.post(`/conversations/${conversationId}/tags`, { name: "MONEY BACK" });
    await acme.post(`/conversations/${conversationId}/tags`, { name: "refund" });
    expect(await tagsOn(abe, conversationId)).toEqual(["Money back/#c0262d", "vip/teal", "refund/null"]);
  });

  test("keep what is left out; another spelling of their own name is taken; what is so already records nothing", async () => {
    const { acme, abe } = await acmeAndAbe();
    await tagged(acme, "refund");
    const id = await idOf(acme, "/tags", "refund");
    expect((await abe.patch(`/tags/${id}`, { name: "REFUND" })).body.tag).toMatchObject({
      name: "REFUND",
      color: "teal",
    });
    expect((await abe.patch(`/tags/${id}`, { color: null })).body.tag).toMatchObject({ name: "REFUND", color: null });
    const before = await dump(storage);
    expect((await abe.patch(`/tags/${id}`, { name: "REFUND", color: "" })).status).toBe(200);
    expect((await abe.patch(`/tags/${id}`, {})).status).toBe(200);
    expect(await dump(storage)).toBe(before);
  });

  test("with another's name are refused, and made one when that is wanted: on every conversation once", async () => {
    const { acme, abe } = await acmeAndAbe();
    const one = await tagged(acme, "refund");
    const both = await tagged(acme, "money back", "refund", "vip");
    const [gone, left] = [await idOf(acme, "/tags", "refund"), await idOf(acme, "/tags", "money back")];
    await abe.post("/inbox/saved-views", { name: "Refunds", query: { view: "open", tag_ids: [gone, left] } });
    await abe.post("/inbox/saved-views", { name: "Mine", query: { view: "mine" } });
    const before = await dump(storage);
    const refusal = await abe.patch(`/tags/${gone}`, { name: "Money Back" });
    expect(refusal).toMatchObject({ status: 422, body: invalid("name") });
    expect(await dump(storage)).toBe(before);

    const events = await eventsOf(acme, async () => {
      const { status, body } = await abe.patch(`/tags/${gone}`, { name: "Money Back", color: "red", merge: true });
      // The one that is left stays as it is.
      expect({ status, body }).toEqual({ status: 200, body: { tag: { id: left, name: "money back", color: "teal" } } });
    });
    expect(events).toMatchObject([
      {
        name: "tag.deleted",
        data: { tag: { id: gone, name: "refund" }, merged_into: { id: left, name: "money back" } },
      },
    ]);
    expect(await tagsOn(abe, one)).toEqual(["money back/teal"]);
    expect(await tagsOn(abe, both)).toEqual(["money back/teal", "vip/teal"]);
    const { body: views } = await abe.get("/inbox/saved-views");
    expect(views.saved_views).toMatchObject([
      { name: "Refunds", query: { view: "open", tag_ids: [left] } },
      { name: "Mine", query: { view: "mine" } },
    ]);
    const { body } = await abe.get(`/inbox/conversations?view=open&tag_ids=${left}`);
    expect(body.conversations).toHaveLength(2);
  });

  test("are removed from the team and from every conversation; a repeat finds nothing", async () => {
    const { acme, abe } = await acmeAndAbe();
    const conversationId = await tagged(acme, "refund", "vip");
    const id = await idOf(acme, "/tags", "refund");
    const events = await eventsOf(acme, async () => {
      expect(await abe.delete(`/tags/${id}`)).toMatchObject({ status: 200, body: {} });
    });
    expect(events).toMatchObject([
      { name: "tag.deleted", conversation_id: null, data: { tag: { id, name: "refund" }, merged_into: null } },
    ]);
    expect(await tagsOn(abe, conversationId)).toEqual(["vip/teal"]);
    expect((await acme.get("/tags")).body.data).toHaveLength(1);
    expect(await abe.delete(`/tags/${id}`)).toMatchObject({ status: 404, body: refused("Tag not found.") });
    expect((await abe.patch(`/tags/${id}`, { name: "x" })).status).toBe(404);
  });
});

describe("custom fields", () => {
  const ofVera = (acme: TestTeam, contactId: string) => acme.get(`/contacts/${contactId}/custom-data`);

  test("are listed by name, with how many contacts have a value of them", async () => {
    const { acme, abe } = await acmeAndAbe();
    expect((await abe.get("/custom-fields")).body).toEqual({ custom_fields: [] });
    for (const contactId of [await veraArrives(acme), await veraArrives(acme)]) {
      await acme.put(`/contacts/${contactId}/custom-data/plan`, { value: "Business" });
    }
    await abe.post("/custom-fields", { name: "Plan" });
    const { status, body } = await abe.get("/custom-fields");
    expect([status, problemsOf(sessionOperations.listFieldUse.responses[200].body, body)]).toEqual([200, []]);
    expect(
      body.custom_fields.map(({ name, contacts }: { name: string; contacts: number }) => [name, contacts]),
    ).toEqual(
      expect.arrayContaining([
        ["plan", 2],
        ["Plan", 0],
      ]),
    );
  });

  test("are made without a contact; a name that is there is refused, in another letter case it is another", async () => {
    const { acme, abe } = await acmeAndAbe();
    const events = await eventsOf(acme, async () => {
      const { status, body } = await abe.post("/custom-fields", { name: " plan " });
      expect([status, problemsOf(sessionOperations.createCustomField.responses[201].body, body)]).toEqual([201, []]);
      expect(body.custom_field).toMatchObject({ name: "plan" });
    });
    expect(events).toMatchObject([{ name: "custom-field.created", data: { custom_field: { name: "plan" } } }]);
    expect(await abe.post("/custom-fields", { name: "plan" })).toMatchObject({ status: 422, body: invalid("name") });
    expect(await abe.post("/custom-fields", { name: " " })).toMatchObject({ status: 422, body: invalid("name") });
    expect((await abe.post("/custom-fields", { name: "PLAN" })).status).toBe(201);
  });

  test("are called otherwise with all their values, unless another is called so", async () => {
    const { acme, abe } = await acmeAndAbe();
    const contactId = await veraArrives(acme);
    await acme.put(`/contacts/${contactId}/custom-data/plan`, { value: "Business" });
    await acme.put(`/contacts/${contactId}/custom-data/seats`, { value: "3" });
    const id = await idOf(acme, "/custom-fields", "plan");
    const taken = await abe.patch(`/custom-fields/${id}`, { name: "seats" });
    expect(taken).toMatchObject({ status: 422, body: invalid("name") });
    const events = await eventsOf(acme, async () => {
      expect((await abe.patch(`/custom-fields/${id}`, { name: "plan" })).status).toBe(200);
      const { status, body } = await abe.patch(`/custom-fields/${id}`, { name: " Tariff " });
      expect({ status, body }).toEqual({ status: 200, body: { custom_field: { id, name: "Tariff" } } });
    });
    expect(events).toMatchObject([
      { name: "custom-field.updated", data: { custom_field: { id, name: "Tariff" }, before: { name: "plan" } } },
    ]);
    const values = (await ofVera(acme, contactId)).body.data;
    expect(values).toMatchObject([
      { attributes: { name: "seats", value: "3" } },
      { id, attributes: { name: "Tariff", value: "Business" } },
    ]);
  });

  test("are removed with every value of them; a repeat finds nothing", async () => {
    const { acme, abe } = await acmeAndAbe();
    const contactId = await veraArrives(acme);
    await acme.put(`/contacts/${contactId}/custom-data/plan`, { value: "Business" });
    await acme.put(`/contacts/${contactId}/custom-data/seats`, { value: "3" });
    const id = await idOf(acme, "/custom-fields", "plan");
    const events = await eventsOf(acme, async () => {
      expect(await abe.delete(`/custom-fields/${id}`)).toMatchObject({ status: 200, body: {} });
    });
    expect(events).toMatchObject([{ name: "custom-field.deleted", data: { custom_field: { id, name: "plan" } } }]);
    expect((await ofVera(acme, contactId)).body.data).toMatchObject([{ attributes: { name: "seats" } }]);
    expect(await abe.delete(`/custom-fields/${id}`)).toMatchObject({
      status: 404,
      body: refused("Custom field not found."),
    });
    // A page that goes on sending it creates it again.
    await acme.put(`/contacts/${contactId}/custom-data/plan`, { value: "Free" });
    expect(await idOf(acme, "/custom-fields", "plan")).not.toBe(id);
  });
});

test("what was done is in the audit log, with the agent who did it", async () => {
  const { acme, abe } = await acmeAndAbe();
  await tagged(acme, "refund");
  const id = await idOf(acme, "/tags", "refund");
  await abe.patch(`/tags/${id}`, { name: "money back" });
  await abe.delete(`/tags/${id}`);
  const field = (await abe.post("/custom-fields", { name: "plan" })).body.custom_field.id;
  await abe.patch(`/custom-fields/${field}`, { name: "tariff" });
  await abe.delete(`/custom-fields/${field}`);
  const { body } = await abe.get("/audit-log");
  const actor = { kind: "agent", id: abe.actor.agentId };
  expect(body.entries.slice(0, 5)).toMatchObject([
    { action: "delete-custom-field", actor, what: { custom_field: { name: "tariff" } } },
    { action: "update-custom-field", actor, what: { custom_field: { name: "tariff" }, before: { name: "plan" } } },
    { action: "create-custom-field", actor, what: { custom_field: { name: "plan" } } },
    { action: "delete-tag", actor, what: { tag: { name: "money back" } } },
    { action: "update-tag", actor, what: { tag: { name: "money back" }, before: { name: "refund" } } },
  ]);
  // A tag that is created by its first use is daily work, which is not audited.
  expect(body.entries.map(({ action }: { action: string }) => action)).not.toContain("add-tag");
});

test("another team's tags and fields are as ones that do not exist, and have the same names for themselves", async () => {
  const [{ acme, abe }, sams] = [await acmeAndAbe(), await team()];
  const sam = await signedIn(kit, sams, "CHAT_AGENT_OWNER");
  const conversationId = await tagged(acme, "refund", "vip");
  const contactId = await veraArrives(acme);
  await acme.put(`/contacts/${contactId}/custom-data/plan`, { value: "Business" });
  await tagged(sams, "Refund");
  await sams.put(`/contacts/${await veraArrives(sams)}/custom-data/plan`, { value: "Free" });
  const ids = {
    tags: await idOf(acme, "/tags", "refund"),
    "custom-fields": await idOf(acme, "/custom-fields", "plan"),
  };
  const before = await dump(storage);
  for (const [list, id] of Object.entries(ids)) {
    const none = kit.runtime.newId();
    for (const ask of [
      (of: string) => sam.patch(`/${list}/${of}`, { name: "vip", merge: true }),
      (of: string) => sam.delete(`/${list}/${of}`),
    ]) {
      const unknown = await ask(none);
      expect(unknown.status).toBe(404);
      for (const foreign of [id, id.toUpperCase(), ...NO_IDS]) {
        const { status, body } = await ask(encodeURIComponent(foreign));
        expect({ foreign, status, body }).toEqual({ foreign, status: 404, body: unknown.body });
      }
    }
  }
  expect(await dump(storage)).toBe(before);
  expect((await sam.get("/tags")).body.tags).toMatchObject([{ name: "Refund", conversations: 1 }]);
  expect((await sam.get("/custom-fields")).body.custom_fields).toMatchObject([{ name: "plan", contacts: 1 }]);

  // What Sam does with his own touches nothing of Acme's.
  await sam.delete(`/tags/${await idOf(sams, "/tags", "Refund")}`);
  await sam.delete(`/custom-fields/${await idOf(sams, "/custom-fields", "plan")}`);
  expect(await tagsOn(abe, conversationId)).toEqual(["refund/teal", "vip/teal"]);
  expect((await acme.get(`/contacts/${contactId}/custom-data`)).body.data).toHaveLength(1);
});
