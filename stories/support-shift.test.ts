/** Main job 3: an assistant does a support shift over MCP, and the team's programs receive the results. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@frontdesk/client";
import type { EventName } from "@frontdesk/core/contract";
import { newAuthority } from "@frontdesk/testing/certificates";
import { startReceiver } from "@frontdesk/testing/https-receiver";
import { enginesOf, newInstallation } from "@frontdesk/testing/installation";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";

const PATIENCE = { interval: 100 };
const GRATEFUL = ["Ben", "Cleo", "Dag", "Edda", "Finn", "Gila", "Jun", "Kofi", "Lale", "Milan", "Nora", "Otto"];

// biome-ignore lint/suspicious/noExplicitAny: stories read any answer
type Result = any;

test.each(enginesOf("sqlite"))(
  "an assistant reads, looks up, replies, notes, tags, assigns, hands over and resolves twelve at once (%s)",
  async (engine) => {
    const authority = newAuthority();
    const subscriber = await startReceiver({ authority });
    onTestFinished(() => subscriber.close());
    const frontdesk = await newInstallation(engine, {
      NODE_EXTRA_CA_CERTS: fileWith(authority.ca),
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
      REST_RATE_LIMIT: "100000",
    });

    // A shop with a month of conversations connects an assistant with all permissions.
    const shop = await frontdesk.command("demo");
    const made = await frontdesk.command(
      ...["assistant", "create", "--team", String(shop.team_id), "--name", "Robin"],
      ...["--permissions", "all", "--widgets", "all", "--agent", String(shop.agent_id)],
    );
    await frontdesk.start();
    const api = createClient({ baseUrl: `${frontdesk.origin}/api/v1`, apiKey: String(shop.api_key) });
    const robin = await assistant(`${frontdesk.origin}/mcp`, String(made.token));
    const { data: everyEvent } = await api.listWebhookEvents();
    await api.createWebhook({
      body: {
        name: "The shop's own program",
        endpoint_url: String(subscriber.url("/hook", "localhost")),
        is_active: true,
        events: everyEvent.map(({ value }) => value as EventName),
      },
    });

    // Vera has a question, Hugo is annoyed, and twelve only say thank you.
    const vera = await writes("Vera", "How long does delivery to Portugal take?");
    const hugo = await writes("Hugo", "This is the third time. I want to talk to a person.");
    const grateful: string[] = [];
    for (const name of GRATEFUL) grateful.push(await writes(name, "It has arrived, thank you!"));

    // The shift begins: who is waiting?
    expect((await robin.client.listTools()).tools).toHaveLength(21);
    const { conversations } = await robin.call("list-conversations", { status: "unresolved", per_page: 100 });
    expect(conversations.map(({ id }: Result) => id)).toEqual(expect.arrayContaining([vera, hugo, ...grateful]));
    expect(conversations[0].id).toBe(grateful.at(-1));

    // The knowledge base answers Vera's question, despite typos in the search.
    const { messages } = await robin.call("list-conversation-messages", { conversation_id: vera });
    expect(messages).toMatchObject([{ sender: { type: "visitor", name: "Vera" }, sort_number: 1 }]);
    const { results } = await robin.call("search-knowledge-base", { query: "how long does delivry take" });
    expect(results[0].answer).toContain("To the rest of Europe, it takes four to six days");
    const { message } = await robin.call("send-message", {
      conversation_id: vera,
      content: "To Portugal it takes four to six days.",
    });
    await robin.call("add-note", { conversation_id: vera, content: "Asked about delivery, as many do this week." });
    const { tag } = await robin.call("add-tag", { conversation_id: vera, name: "Delivery to Portugal" });
    expect((await robin.call("view-tags", {})).tags).toContainEqual(tag);

    // An agent has to follow up; the first call only asks for a confirmation.
    const agents = (await robin.call("list-agents", {})).agents as { id: string; email: string }[];
    const colleague = agents.find(({ id }) => id !== shop.agent_id);
    const toColleague = { conversation_ids: [vera], agent_query: colleague?.email };
    const asked = await robin.call("assign-conversation", toColleague);
    expect(asked).toMatchObject({ confirmation_required: true, affected_count: 1, expires_in_seconds: 300 });
    expect(asked.message).toContain("Vera");
    const assigned = await robin.call("assign-conversation", { ...toColleague, ...tokenOf(asked) });
    expect(assigned).toMatchObject({ agent_id: colleague?.id, assigned_conversation_ids: [vera] });

    // Hugo is handed off, and gets no more replies from the assistant.
    expect(await robin.call("handoff-to-human", { conversation_id: hugo })).toEqual({
      conversation_id: hugo,
      status: "handoff_requested",
    });
    const refused = await robin.client.callTool({
      name: "send-message",
      arguments: { conversation_id: hugo, content: "How can I help?" },
    });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("A human has been asked") }],
    });

    // The twelve are resolved at once: confirmed first, then queued, then done one by one.
    const theTwelve = { conversation_ids: grateful };
    const question = await robin.call("resolve-conversation", theTwelve);
    expect(question).toMatchObject({ confirmation_required: true, affected_count: GRATEFUL.length });
    expect(question.message).toContain(`${GRATEFUL.length} conversations`);
    expect(await robin.call("resolve-conversation", { ...theTwelve, ...tokenOf(question) })).toEqual({
      queued: true,
      queued_conversation_ids: grateful,
      skipped_conversation_ids: [],
    });
    const resolved = async () => {
      const opened = await Promise.all(grateful.map((id) => robin.call("get-conversation", { conversation_id: id })));
      return opened.filter(({ conversation }) => conversation.is_resolved).length;
    };
    await expect.poll(resolved, PATIENCE).toBe(GRATEFUL.length);

    // The results, as the team's programs see them.
    const { data: thread } = await api.listMessages({ params: { conversation_id: vera } });
    expect(thread.map(({ attributes: { type, content } }) => [type, content])).toEqual([
      ["note", "Asked about delivery, as many do this week."],
      ["message", "To Portugal it takes four to six days."],
      ["message", "How long does delivery to Portugal take?"],
    ]);
    const heard = () => subscriber.received.map(({ body }) => JSON.parse(body.toString()) as Result);
    const told = (name: string) => heard().filter(({ event }) => event === name);
    await expect.poll(() => told("conversation.resolved").length, PATIENCE).toBe(GRATEFUL.length);
    await expect.poll(() => told("agent.assigned").length, PATIENCE).toBe(1);
    await expect.poll(() => told("tag.assigned").length, PATIENCE).toBe(1);
    const byRobin = { automation: { id: made.id, name: "Robin" } };
    expect(
      told("conversation.resolved")
        .map(({ data }) => data.conversation.id)
        .toSorted(),
    ).toEqual(grateful.toSorted());
    for (const { data } of told("conversation.resolved")) expect(data.resolved_by).toEqual(byRobin);
    expect(told("message.sent").map(({ data }) => data.message.id)).toEqual([message.id]);
    expect(told("message.sent")[0].data.agent.id).toBe(shop.agent_id);
    expect(told("agent.assigned")[0].data).toMatchObject({ agent: { id: colleague?.id }, assigned_by: byRobin });
    expect(told("message.received")).toHaveLength(GRATEFUL.length + 2);

    async function writes(name: string, content: string): Promise<string> {
      const email = `${name.toLowerCase()}@visitor.test`;
      const body = { widget_id: String(shop.widget_id), name, email, content };
      return (await api.sendVisitorMessage({ body })).data.attributes.conversation_id;
    }
  },
);

/** An assistant connected as any host would connect it. */
async function assistant(url: string, token: string) {
  const client = new Client({ name: "a scripted assistant", version: "1.0.0" });
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return {
    client,
    /** The structured result of a tool. */
    async call(name: string, given: object): Promise<Result> {
      const result = await client.callTool({ name, arguments: { ...given } });
      expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
      return result.structuredContent;
    },
  };
}

const tokenOf = ({ confirmation_token }: Result) => ({ confirmation_token });

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-shift-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "ca.pem");
  writeFileSync(file, text);
  return file;
}
