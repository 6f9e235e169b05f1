import { commandInProcess } from "@frontdesk/testing/command-in-process";
import { enginesOf, newProcessInstallation } from "@frontdesk/testing/installation";
import { expect, test } from "vitest";
import { createClient } from "../packages/client/src/index.ts";

test.each(enginesOf("postgres"))(
  "a visitor writes, an integrator answers and resolves, the visitor writes again, and a restart keeps it all (%s)",
  async (engine) => {
    const frontdesk = await newProcessInstallation(engine);

    // The operator sets up a team on the command line, before the server has ever run, and starts the server.
    const made = await frontdesk.command(
      ...["setup", "--team", "Acme", "--name", "Ada", "--email", "ada@acme.test", "--password", "correct horse"],
      ...["--widget", "Website", "--api-key", "main"],
    );
    expect(made).toEqual({
      team_id: expect.any(String),
      agent_id: expect.any(String),
      widget_id: expect.any(String),
      api_key: expect.stringMatching(/^fd_key_/),
    });
    const started = await frontdesk.start();
    expect(started).toEqual({ url: frontdesk.origin });
    const api = createClient({ baseUrl: `${frontdesk.origin}/api/v1`, apiKey: String(made.api_key), retries: 0 });

    // Vera the visitor writes.
    const written = await api.sendVisitorMessage({
      body: {
        widget_id: String(made.widget_id),
        content: "Do you ship to Portugal?",
        name: "Vera",
        email: "vera@visitor.test",
      },
    });
    const { conversation_id: conversationId, contact } = written.data.attributes;
    expect(contact).toMatchObject({ name: "Vera", email: "vera@visitor.test" });

    // The integrator finds it, reads it, answers as Ada, writes a note, and resolves.
    const conversations = await api.listConversations({
      query: { include_fields: "is_resolved,unread_messages,contact_name" },
    });
    expect(conversations.data).toEqual([
      {
        type: "conversations",
        id: conversationId,
        attributes: { is_resolved: false, unread_messages: 1, contact_name: "Vera" },
      },
    ]);
    const path = { conversation_id: conversationId };
    const read = await api.listMessages({ params: path });
    expect(read.data.map(({ attributes }) => attributes.content)).toEqual(["Do you ship to Portugal?"]);
    const reply = await api.createMessage({
      body: { ...path, agent_id: String(made.agent_id), content: "We do. It takes three days." },
    });
    expect(reply.data.attributes.agent).toEqual({ id: made.agent_id, name: "Ada" });
    await api.createMessage({ body: { ...path, type: "note", content: "Asked about Madeira too." } });
    const resolved = await api.setConversationStatus({ params: path, body: { status: "resolved" } });
    expect(resolved.data.attributes).toMatchObject({ is_resolved: true, unread_messages: 0 });

    // Vera writes again: the same conversation, reopened.
    const again = await api.sendVisitorMessage({
      body: { widget_id: String(made.widget_id), content: "And to Madeira?", contact_id: String(contact?.id) },
    });
    expect(again.data.attributes.conversation_id).toBe(conversationId);

    const before = await everything();
    expect(before.conversations.data[0]?.attributes).toMatchObject({ is_resolved: false, unread_messages: 1 });
    expect(before.messages.data.map(({ attributes }) => [attributes.type, attributes.content])).toEqual([
      ["message", "And to Madeira?"],
      ["note", "Asked about Madeira too."],
      ["message", "We do. It takes three days."],
      ["message", "Do you ship to Portugal?"],
    ]);

    // The operator stops and starts the server.
    expect(await frontdesk.stop()).toBe(0);
    await frontdesk.start();
    expect(await everything()).toEqual(before);

    async function everything() {
      return {
        widgets: await api.listWidgets(),
        agents: await api.listAgents(),
        contacts: await api.listContacts(),
        conversations: await api.listConversations({
          query: {
            include_fields: "is_resolved,contact_id,unread_messages,latest_message,contact_name,agents,created_at",
          },
        }),
        messages: await api.listMessages({ params: path }),
      };
    }
  },
);

test("the command line works beside a running server", async () => {
  const frontdesk = await newProcessInstallation("sqlite");
  const { setup_url: setupUrl } = await frontdesk.start();
  // The server is another process than this one. The program itself is started in the story above.
  const command = (...args: string[]) => commandInProcess(args, frontdesk.env);
  expect(setupUrl).toMatch(`${frontdesk.origin}/app/setup#`);

  const made = await command(
    ...["setup", "--team", "Acme", "--name", "Ada", "--email", "ada@acme.test", "--password", "correct horse"],
    ...["--widget", "Website", "--api-key", "main"],
  );
  const api = createClient({ baseUrl: `${frontdesk.origin}/api/v1`, apiKey: String(made.api_key), retries: 0 });
  expect((await api.listWidgets()).data).toHaveLength(1);

  const widget = await command("widget", "create", "--name", "Shop");
  const grace = await command(
    ...["agent", "create", "--name", "Grace", "--email", "grace@acme.test", "--role", "admin"],
  );
  expect((await api.listWidgets()).data.map(({ id }) => id)).toEqual([made.widget_id, widget.id]);
  expect((await api.listAgents()).data.map(({ id }) => id)).toEqual([made.agent_id, grace.id]);

  const key = await command("key", "create", "--name", "second");
  const second = createClient({ baseUrl: `${frontdesk.origin}/api/v1`, apiKey: String(key.api_key), retries: 0 });
  expect((await second.listWidgets()).data).toHaveLength(2);

  // The switch applies at once to the running server.
  await command("team", "update", String(made.team_id), "--api-access", "off");
  await expect(second.listWidgets()).rejects.toMatchObject({ status: 403 });
  await command("team", "update", String(made.team_id), "--api-access", "on");
  expect((await second.listWidgets()).data).toHaveLength(2);
});
