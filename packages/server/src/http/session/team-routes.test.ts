/** The team's agents, its keys and its audit log (docs/decisions/0025-signed-in-agents.md). */

import { sessionOperations } from "@frontdesk/core/contract/session";
import { problemsOf } from "@frontdesk/testing/ajv";
import { browser } from "@frontdesk/testing/browser-visitor";
import { invalid, refused } from "@frontdesk/testing/rest-answers";
import { query } from "@frontdesk/testing/second-app";
import { asPage, type SignedIn, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventsOf, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { setAgentRole } from "../../agents/set-agent-role.ts";
import { assignAgent } from "../../conversations/assign-agent.ts";

const kit = await startTestApp();
const { app, team, clock } = kit;
const NOT_YOURS = { status: 403, body: refused("Your role does not allow this.") };
const OWNER = "CHAT_AGENT_OWNER";
const ADMIN = "CHAT_AGENT_ADMIN";
const MEMBER = "CHAT_AGENT_MEMBER";

/** A team with an agent of each role. */
async function people(): Promise<{ acme: TestTeam; olga: SignedIn; abe: SignedIn; mia: SignedIn }> {
  const acme = await team();
  const [olga, abe, mia] = [
    await signedIn(kit, acme, OWNER),
    await signedIn(kit, acme, ADMIN),
    await signedIn(kit, acme),
  ];
  return { acme, olga, abe, mia };
}

const setRole = (by: SignedIn, who: string, role: string) => by.patch(`/agents/${who}`, { role });
const log = async (by: SignedIn) => (await by.get("/audit-log")).body.entries;

describe("a role", () => {
  test("is given by an admin up to their own, by an owner without limit, and ends the sessions of the agent who gets it", async () => {
    const { olga, abe, mia } = await people();
    expect(await setRole(mia, mia.actor.agentId, ADMIN)).toMatchObject(NOT_YOURS);
    expect(await setRole(abe, mia.actor.agentId, OWNER)).toMatchObject(NOT_YOURS);
    expect(await setRole(abe, olga.actor.agentId, MEMBER)).toMatchObject(NOT_YOURS);
    expect((await mia.get("/me")).status).toBe(200);
    const raised = await setRole(abe, mia.actor.agentId, ADMIN);
    expect(raised).toMatchObject({ status: 200, body: { agent: { id: mia.actor.agentId, role: ADMIN } } });
    expect(problemsOf(sessionOperations.setAgentRole.responses[200].body, raised.body)).toEqual([]);
    expect((await mia.get("/me")).status).toBe(401);
    expect(await setRole(olga, mia.actor.agentId, OWNER)).toMatchObject({ body: { agent: { role: OWNER } } });
  });

  test("that an agent has already changes nothing, and ends nothing", async () => {
    const { acme, abe, mia } = await people();
    const events = await eventsOf(acme, () => setRole(abe, mia.actor.agentId, MEMBER));
    expect(events).toEqual([]);
    expect((await mia.get("/me")).status).toBe(200);
  });

  test("of the last owner cannot be lowered, nor can they be deactivated", async () => {
    const { acme, olga } = await people();
    const lower = (id: string) => setRole(olga, id, MEMBER);
    expect((await lower(acme.ada.id)).status).toBe(200);
    expect(await lower(olga.actor.agentId)).toMatchObject({ status: 422, body: invalid("role") });
    expect(await olga.post(`/agents/${olga.actor.agentId}/deactivate`, {})).toMatchObject({
      status: 422,
      body: invalid("agent"),
    });
    expect((await olga.get("/me")).status).toBe(200);
    // Also by the operator, and when both are lowered at the same moment.
    await app.perform(acme.actor, setAgentRole, { agentId: acme.ada.id, role: OWNER });
    const both = await Promise.allSettled(
      [acme.ada.id, olga.actor.agentId].map((agentId) =>
        app.perform(acme.actor, setAgentRole, { agentId, role: MEMBER }),
      ),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("counts at once where it is looked at: in what may be done, and in the events", async () => {
    const { acme, olga, mia } = await people();
    const events = await eventsOf(acme, () => setRole(olga, mia.actor.agentId, ADMIN));
    expect(events).toMatchObject([
      {
        name: "agent.updated",
        actor: { kind: "agent", id: olga.actor.agentId },
        data: { agent: { id: mia.actor.agentId, role: ADMIN, status: "active" } },
      },
    ]);
  });
});

describe("a deactivated agent", () => {
  test("is signed out at once; their conversations stay theirs, their keys stop and are named", async () => {
    const { acme, olga, abe } = await people();
    const { conversationId } = await veraWrites(acme);
    await app.perform(acme.actor, assignAgent, { conversationId, agentId: abe.actor.agentId });
    const { body } = await abe.post("/keys", { name: "Shop" });
    const gone = await olga.post(`/agents/${abe.actor.agentId}/deactivate`, {});
    expect(gone).toMatchObject({
      status: 200,
      body: {
        agent: { id: abe.actor.agentId, status: "deactivated", online_status: "offline" },
        api_keys: [{ id: body.key.id, name: "Shop" }],
        assistants: [],
      },
    });
    expect((await abe.get("/me")).status).toBe(401);
    expect(await kit.request("GET", "/agents", { headers: { "x-api-key": body.value } })).toMatchObject({
      status: 403,
      body: refused("The agent of this API key is deactivated."),
    });
    const list = await acme.get("/conversations/all?include_fields=agents");
    expect(list.body.data[0].attributes.agents[0].id).toBe(abe.actor.agentId);
    expect(await olga.post(`/agents/${abe.actor.agentId}/deactivate`, {})).toMatchObject({
      status: 200,
      body: gone.body,
    });
  });

  test("comes back with the password they had; an invited one as invited, with a new link", async () => {
    const { abe, mia } = await people();
    await abe.post(`/agents/${mia.actor.agentId}/deactivate`, {});
    const back = await abe.post(`/agents/${mia.actor.agentId}/reactivate`);
    expect(back).toMatchObject({ status: 200, body: { agent: { status: "active" } } });
    expect((await mia.get("/me")).status).toBe(401);

    const sent = await abe.post("/v1/agents/invite", { agents: ["lin@acme.test"] });
    const first = /\/join\/(\w+)/.exec(sent.body.message)?.[1];
    const lin = (await abe.get("/v1/agents?email=lin@acme.test")).body.data[0];
    await abe.post(`/agents/${lin.id}/deactivate`, {});
    expect((await asPage(kit, "GET", `/join/${first}`)).status).toBe(404);
    expect((await abe.post(`/agents/${lin.id}/reactivate`)).body.agent.status).toBe("invited");
    const { body } = await abe.post(`/agents/${lin.id}/invitation`);
    expect((await asPage(kit, "GET", `/join/${body.link.split("/join/")[1]}`)).status).toBe(200);
    expect(await abe.post(`/agents/${mia.actor.agentId}/invitation`)).toMatchObject({ status: 422 });
  });

  test("of a higher role, of another team, or unknown is out of reach", async () => {
    const { olga, abe } = await people();
    const sam = await signedIn(kit, await team(), OWNER);
    expect(await abe.post(`/agents/${olga.actor.agentId}/deactivate`, {})).toMatchObject(NOT_YOURS);
    for (const path of ["deactivate", "reactivate", "invitation"]) {
      for (const id of [sam.actor.agentId, "nobody"]) {
        expect(await olga.post(`/agents/${id}/${path}`, {})).toMatchObject({
          status: 403,
          body: refused("Agent not found."),
        });
      }
    }
    expect((await sam.get("/me")).status).toBe(200);
  });
});

describe("one's own profile", () => {
  const GIF = Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=", "base64");
  const photoOf = async (who: SignedIn) => {
    const { body } = await who.request("POST", "/v1/files?name=mia.gif", GIF, { "content-type": "image/gif" });
    return body.data.attributes.url as string;
  };

  test("has a name, a photo and whether one wants to be away, each changed by itself and announced to the team", async () => {
    const { acme, mia } = await people();
    const change = (body: object) => mia.patch("/me", body);
    const events = await eventsOf(acme, async () => {
      expect((await change({ name: " Mia M. " })).body.agent.name).toBe("Mia M.");
      expect((await change({ profile_photo_url: await photoOf(mia) })).status).toBe(200);
      expect((await change({ availability: "away" })).status).toBe(200);
      expect((await change({})).status).toBe(200);
    });
    expect(events.map(({ name }) => name)).toEqual(["agent.updated", "agent.updated", "agent.updated"]);
    expect((await mia.get("/me")).body.agent).toMatchObject({
      name: "Mia M.",
      profile_photo_url: expect.stringMatching(/^https:\/\/chat\.test\/files\/fd_file_\w+\/mia\.gif$/),
      availability: "away",
      online_status: "offline",
    });
    expect((await change({ profile_photo_url: null })).body.agent.profile_photo_url).toBeNull();
  });

  test("has a photo that was sent to us and is kept from then on; nothing but a picture is taken", async () => {
    const { mia } = await people();
    const upload = async (name: string, content: Buffer, type: string) => {
      const { status, body } = await mia.request("POST", `/v1/files?name=${name}`, content, { "content-type": type });
      expect(status).toBe(201);
      return { id: body.data.id, url: body.data.attributes.url };
    };
    const photo = await upload(
      "mia.gif",
      Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=", "base64"),
      "image/gif",
    );
    const letter = await upload("letter.txt", Buffer.from("Dear Mia"), "text/plain");
    expect(await mia.patch("/me", { profile_photo_url: letter.url })).toMatchObject({
      status: 422,
      body: invalid("profile_photo_url"),
    });
    expect((await mia.patch("/me", { profile_photo_url: photo.url })).body.agent.profile_photo_url).toBe(photo.url);
    const files = await query(
      kit.storage,
      `SELECT id FROM files WHERE used_at IS NOT NULL AND team_id = '${mia.actor.teamId}'`,
    );
    expect(files.map(({ id }) => id)).toEqual([photo.id]);
  });

  test("has no photo of another site, of a colleague, or at another host: visitors' browsers would ask for it", async () => {
    const { abe, mia } = await people();
    const [own, abes] = [await photoOf(mia), await photoOf(abe)];
    const wrong = ["https://pics.test/mia.png", abes, own.replace("chat.test", "pics.test"), `${own}?x`];
    for (const profile_photo_url of wrong) {
      expect(await mia.patch("/me", { profile_photo_url }), profile_photo_url).toMatchObject({
        status: 422,
        body: invalid("profile_photo_url"),
      });
    }
    expect((await mia.get("/me")).body.agent.profile_photo_url).toBeNull();
  });

  test("shows visitors no address of another site that was taken before", async () => {
    const { acme, mia } = await people();
    const { conversationId } = await veraWrites(acme);
    const vera = browser(app, acme);
    await vera.write("Hello?");
    const seen = async (url: string) => {
      const set = `profile_photo_url = '${url}', resized_profile_photo_url = '${url}'`;
      await query(kit.storage, `UPDATE agents SET ${set} WHERE id = '${mia.actor.agentId}'`);
      const list = (await acme.get("/conversations/all")).body.data as { id: string }[];
      const hers = list.find(({ id }) => id !== conversationId)?.id;
      await mia.post("/v1/messages", { conversation_id: hers, content: "Hello!" });
      return (await vera.chat()).body.messages.at(0).agent.photo_url;
    };
    expect(await seen("https://pics.test/mia.png")).toBeNull();
    const own = await photoOf(mia);
    expect(await seen(own)).toBe(own);
  });

  test("takes no role, no e-mail, and nothing that is no name or picture", async () => {
    const { mia } = await people();
    for (const body of [
      { name: "" },
      { name: "A\u0007da" },
      { profile_photo_url: "javascript:x" },
      { availability: "x" },
    ]) {
      expect((await mia.patch("/me", body)).status, JSON.stringify(body)).toBe(422);
    }
    await mia.patch("/me", { role: OWNER, email: "eve@acme.test", status: "active" });
    expect((await mia.get("/me")).body.agent).toMatchObject({ role: MEMBER, email: mia.email });
  });
});

describe("an API key", () => {
  test("is made by an admin in their own name, shown once, listed without its value, and ended", async () => {
    const { acme, abe, mia } = await people();
    expect(await mia.post("/keys", { name: "Shop" })).toMatchObject(NOT_YOURS);
    const expires = new Date(clock.now() + 60_000).toISOString();
    const made = await abe.post("/keys", { name: "Shop", scopes: ["contacts:read"], expires_at: expires });
    expect(made).toMatchObject({
      status: 201,
      body: { key: { name: "Shop", scopes: ["contacts:read"], agent_id: abe.actor.agentId, expires_at: expires } },
    });
    const withKey = () => kit.request("GET", "/contacts", { headers: { "x-api-key": made.body.value } });
    expect((await withKey()).status).toBe(200);
    const listed = await abe.get("/keys");
    expect(problemsOf(sessionOperations.listApiKeys.responses[200].body, listed.body)).toEqual([]);
    expect(JSON.stringify(listed.body)).not.toContain(made.body.value);
    expect(listed.body.keys).toHaveLength(2);
    expect((await abe.delete(`/keys/${made.body.key.id}`)).body.key.revoked_at).not.toBeNull();
    expect((await withKey()).status).toBe(401);
    expect((await abe.delete("/keys/nothing")).status).toBe(404);
    expect(await abe.post("/keys", { name: "Old", expires_at: new Date(clock.now() - 1).toISOString() })).toMatchObject(
      {
        status: 422,
        body: invalid("expires_at"),
      },
    );
    expect((await acme.get("/contacts")).status).toBe(200);
  });

  test("and its team's switch: only an owner turns the access of all keys off", async () => {
    const { acme, olga, abe } = await people();
    expect(await abe.request("PUT", "/team/api-access", { on: false })).toMatchObject(NOT_YOURS);
    expect((await olga.request("PUT", "/team/api-access", { on: false })).body.team.api_access).toBe(false);
    expect((await acme.get("/contacts")).status).toBe(403);
    expect((await olga.get("/v1/contacts")).status).toBe(200);
    expect((await abe.patch("/team", { name: "Acme & Sons" })).body.team.name).toBe("Acme & Sons");
  });
});

test("a webhook's new signing secret: admins see when it takes over, and that none waits", async () => {
  const { olga, abe, mia } = await people();
  const made = await abe.post("/v1/webhooks", { endpoint_url: "https://hooks.acme.test/", events: ["tag.assigned"] });
  const { id } = made.body.data;
  const rotation = async () => (await abe.get(`/webhooks/${id}/rotation`)).body;
  expect(await rotation()).toEqual({ takes_over_at: null });
  const rotated = await abe.post(`/v1/webhooks/${id}/rotate`);
  expect(await rotation()).toEqual({ takes_over_at: rotated.body.data.attributes[0].takes_over_at });
  expect(await mia.get(`/webhooks/${id}/rotation`)).toMatchObject(NOT_YOURS);
  await olga.post(`/v1/webhooks/${id}/rotate/activate`);
  expect(await rotation()).toEqual({ takes_over_at: null });
  const { olga: other } = await people();
  const unknown = { status: 403, body: refused("Webhook not found.") };
  expect(await other.get(`/webhooks/${id}/rotation`)).toMatchObject(unknown);
});

describe("the audit log", () => {
  test("says who did what with settings and access, from where, newest first, to admins alone", async () => {
    const { olga, abe, mia } = await people();
    expect(await mia.get("/audit-log")).toMatchObject(NOT_YOURS);
    const { body } = await abe.post("/keys", { name: "Shop" });
    await abe.delete(`/keys/${body.key.id}`);
    await setRole(olga, mia.actor.agentId, ADMIN);
    const entries = await log(abe);
    expect(problemsOf(sessionOperations.listAuditLog.responses[200].body, { entries, next: null })).toEqual([]);
    const by = (who: SignedIn) => ({ kind: "agent", id: who.actor.agentId, name: who.name });
    const key = { id: body.key.id, name: "Shop", agent_id: abe.actor.agentId };
    expect(entries.slice(0, 3)).toMatchObject([
      { action: "set-agent-role", actor: by(olga), what: { agent: { id: mia.actor.agentId, role: ADMIN } } },
      { action: "revoke-api-key", actor: by(abe), what: { api_key: key }, ip: "127.0.0.1" },
      { action: "create-api-key", actor: by(abe), what: { api_key: key }, ip: "127.0.0.1" },
    ]);
    expect(JSON.stringify(entries)).not.toContain(body.value);
  });

  test("says what a program does with its key, and who signs in, fails to, and signs out", async () => {
    const { acme, olga, mia } = await people();
    await acme.post("/webhooks", {
      name: "Shop",
      endpoint_url: "https://hooks.test/x",
      is_active: false,
      events: ["message.received"],
    });
    expect((await asPage(kit, "POST", "/sign-in", { body: { email: mia.email, password: "wrong" } })).status).toBe(401);
    await expect.poll(async () => (await log(olga))[0].action).toBe("note-failed-sign-in");
    await mia.post("/sign-out");
    const entries = await log(olga);
    expect(entries.slice(0, 3)).toMatchObject([
      { action: "end-session", actor: { kind: "agent", id: mia.actor.agentId } },
      { action: "note-failed-sign-in", actor: { kind: "system" }, what: { agent: { email: mia.email } } },
      { action: "create-webhook", actor: { kind: "api-key", name: "main" }, what: { webhook: { name: "Shop" } } },
    ]);
    const began = entries.filter(({ action }: { action: string }) => action === "start-session");
    expect(began[0]).toMatchObject({ actor: { kind: "agent", id: mia.actor.agentId }, ip: "192.0.2.7" });
  });

  test("has one line for what was done, and none for what changed nothing or was refused", async () => {
    const { olga, abe } = await people();
    const count = async () => (await log(olga)).length;
    const before = await count();
    await setRole(olga, abe.actor.agentId, ADMIN);
    await setRole(abe, olga.actor.agentId, MEMBER);
    await abe.patch("/team", { name: "Acme" });
    await abe.patch("/me", { name: "Abe L." });
    expect(await count()).toBe(before);
    await abe.patch("/team", { name: "Other" });
    expect(await count()).toBe(before + 1);
  });

  test("is read page by page, and knows no other team", async () => {
    const { olga } = await people();
    const all = await log(olga);
    const seen: unknown[] = [];
    let next: string | null = null;
    do {
      const page: { body: { entries: unknown[]; next: string | null } } = await olga.get(
        `/audit-log?limit=2${next ? `&before=${next}` : ""}`,
      );
      seen.push(...page.body.entries);
      next = page.body.next;
    } while (next);
    expect(seen).toEqual(all);
    expect(all.length).toBeGreaterThan(4);
    expect((await olga.get("/audit-log?before=x")).status).toBe(422);
    const sam = await signedIn(kit, await team(), OWNER);
    expect(JSON.stringify(await log(sam))).not.toContain(olga.actor.agentId);
  });

  test("is asked for one action, for one person or key, or for both", async () => {
    const { acme, olga, abe, mia } = await people();
    await abe.post("/keys", { name: "Shop" });
    await olga.post("/keys", { name: "Office" });
    await setRole(olga, mia.actor.agentId, ADMIN);
    await acme.post("/widgets", { name: "Shop" });
    const asked = async (query: string): Promise<{ action: string; actor: { id: string } }[]> =>
      (await olga.get(`/audit-log?${query}`)).body.entries;
    const actions = async (query: string) => (await asked(query)).map(({ action }) => action);

    const made = await asked("action=create-api-key");
    expect(made.map(({ actor }) => actor.id).slice(0, 2)).toEqual([olga.actor.agentId, abe.actor.agentId]);
    expect(new Set(made.map(({ action }) => action))).toEqual(new Set(["create-api-key"]));
    expect(await actions(`actor_id=${olga.actor.agentId.toUpperCase()}`)).toEqual([
      "set-agent-role",
      "create-api-key",
      "start-session",
    ]);
    expect(await actions(`actor_id=${olga.actor.agentId}&action=create-api-key`)).toEqual(["create-api-key"]);
    expect(await actions(`actor_id=${olga.actor.agentId}&action=create-widget`)).toEqual([]);
    // What a program does by a key is the key's.
    const [byKey] = await asked("action=create-widget");
    expect(await actions(`actor_id=${byKey?.actor.id}`)).toContain("create-widget");
    for (const nobody of ["x", acme.widgetId]) expect(await asked(`actor_id=${nobody}`)).toEqual([]);
    expect((await olga.get("/audit-log?action=list-agents")).status).toBe(422);
    const first = (await olga.get(`/audit-log?actor_id=${olga.actor.agentId}&limit=2`)).body;
    expect((await asked(`actor_id=${olga.actor.agentId}&before=${first.next}`)).map(({ action }) => action)).toEqual([
      "start-session",
    ]);
  });
});
