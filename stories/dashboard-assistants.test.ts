/** Settings: assistants are connected, monitored and stopped; the audit log records the actors. */
import { readFile } from "node:fs/promises";
import { inDarkScheme, violations, violationsInDepth } from "@frontdesk/testing/accessibility";
import { BEN, dialogOf, joins, signIn } from "@frontdesk/testing/agent-browser";
import { openShop } from "@frontdesk/testing/visitor-browser";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { tools } from "../packages/core/src/contract/tools.ts";

const shop = await openShop("sqlite", {}, afterAll);
const { origin } = shop.frontdesk;
const ALL = Object.keys(tools);

/** A program with the connection's token, as a user sets it up. */
async function program(token: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  onTestFinished(() => client.close());
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", origin), { requestInit: { headers } }));
  return client;
}

const toolsOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
const statusOf = async (token: string) =>
  (await fetch(`${origin}/tools`, { headers: { authorization: `Bearer ${token}` } })).status;

async function veraWrites(name: string): Promise<string> {
  const body = { widget_id: shop.widgetId, name, content: "Do you ship?" };
  return (await shop.api.sendVisitorMessage({ body })).data.attributes.conversation_id;
}

test("an assistant is connected, seen at work, given less, paused, given another token, and revoked", async () => {
  const found: string[] = [];
  const { page, complaints, strangers } = await signIn(shop, "/settings/assistants");
  const dialog = dialogOf(page);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const section = (title: string) => page.locator("main section", { has: page.locator(`h2:text-is("${title}")`) });
  const shownTools = () => section("Tools").locator("code").allTextContents();

  // Connected with all permissions, replying as Ada.
  await button("Connect assistant").click();
  await expect.poll(() => page.evaluate("document.activeElement?.name")).toBe("name");
  await page.keyboard.type("Night shift");
  await dialog.getByRole("button", { name: "All", exact: true }).click();
  await expect.poll(() => dialog.getByRole("status").innerText()).toContain("choose an agent");
  found.push(...(await violations(page, "a new assistant", inDarkScheme)));
  await dialog.getByLabel("Replies as").selectOption("Ada");
  await expect.poll(() => dialog.getByRole("status").count()).toBe(0);
  await dialog.getByRole("button", { name: "Connect", exact: true }).click();

  // Its token, shown once: the configuration to paste contains it.
  await expect.poll(() => dialog.locator("pre").count()).toBe(2);
  const token = await dialog.locator("pre").first().innerText();
  expect(token).toMatch(/^fd_assistant_/);
  expect(await dialog.locator("pre").last().innerText()).toContain(
    `${origin}/mcp" --header "Authorization: Bearer ${token}"`,
  );
  found.push(...(await violations(page, "the token", inDarkScheme)));
  await dialog.getByRole("tab", { name: "Cursor" }).click();
  await dialog.getByRole("tab", { name: "Cursor", selected: true }).waitFor();
  const written = JSON.parse(await dialog.locator("pre").last().innerText());
  expect(written.mcpServers.frontdesk).toEqual({ url: `${origin}/mcp`, headers: { Authorization: `Bearer ${token}` } });
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect.poll(() => dialog.getByRole("status").innerText()).toContain("can’t be shown again");
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.waitForURL(/\/settings\/assistants\/[0-9a-f-]{36}$/);
  const address = page.url();
  await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe("Assistants");
  expect((await page.content()).includes(token)).toBe(false);

  // The page shows the same tools as the API.
  const client = await program(token);
  expect(await toolsOf(client)).toEqual(ALL);
  await expect.poll(shownTools).toHaveLength(ALL.length);
  expect((await shownTools()).toSorted()).toEqual(ALL.toSorted());

  // Its calls appear in the log within seconds, with their arguments.
  const vera = await veraWrites("Vera");
  await client.callTool({ name: "search-conversations", arguments: { query: "ship" } });
  await client.callTool({ name: "send-message", arguments: { conversation_id: vera, content: "We do." } });
  await client.callTool({ name: "get-conversation", arguments: { conversation_id: shop.widgetId } });
  const calls = section("Calls").locator("details");
  await expect.poll(() => calls.count()).toBe(3);
  const call = (tool: string) => calls.filter({ hasText: tool });
  await expect.poll(() => call("search-conversations").locator("summary").innerText()).toContain("Done");
  await expect.poll(() => call("get-conversation").locator("summary").innerText()).toContain("Refused");
  await call("search-conversations").locator("summary").press("Enter");
  await expect.poll(() => call("search-conversations").locator("pre").innerText()).toContain('"query": "ship"');
  await call("get-conversation").locator("summary").click();
  await expect.poll(() => call("get-conversation").innerText()).toContain("Conversation not found.");

  // Bulk changes are performed one by one, and each links to its conversation.
  const several = { conversation_ids: [vera, await veraWrites("Hugo")] };
  const { structuredContent: asked } = await client.callTool({ name: "resolve-conversation", arguments: several });
  const { confirmation_token } = asked as { confirmation_token: string };
  await client.callTool({ name: "resolve-conversation", arguments: { ...several, confirmation_token } });
  await page.reload();
  const queued = section("Queued changes").locator("li");
  await expect.poll(() => queued.filter({ hasText: "Done" }).count()).toBe(2);
  expect(await queued.getByRole("link").last().getAttribute("href")).toContain(`/inbox/${vera}`);
  found.push(...(await violations(page, "one assistant")));

  // With a permission removed, the tool is gone, both for the program and on the page.
  await button("Edit").click();
  await dialog.getByRole("checkbox", { name: "Reply to visitors" }).uncheck();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect.poll(shownTools).toHaveLength(ALL.length - 1);
  expect(await shownTools()).not.toContain("send-message");
  expect(await toolsOf(client)).not.toContain("send-message");
  const reply = await client.callTool({ name: "send-message", arguments: { conversation_id: vera, content: "Bye" } });
  expect(reply.isError).toBe(true);
  await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe("Edit");

  // Paused, then undone.
  await button("Pause").click();
  // While hovered, the toast stays.
  await button("Undo").hover();
  await expect.poll(shownTools).toEqual([]);
  expect(await toolsOf(client)).toEqual([]);
  expect((await client.callTool({ name: "view-tags" })).isError).toBe(true);
  await button("Undo").click();
  await expect.poll(() => toolsOf(client)).toHaveLength(ALL.length - 1);
  await expect.poll(shownTools).toHaveLength(ALL.length - 1);

  // A new token: the old one is refused at once.
  const fromMenu = async (name: string) => {
    await page.locator("main").getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await fromMenu("Create new token");
  found.push(...(await violations(page, "whether to make a token", inDarkScheme)));
  await dialog.getByRole("button", { name: "Create new token" }).click();
  await expect.poll(() => dialog.locator("pre").count()).toBe(2);
  const renewed = await dialog.locator("pre").first().innerText();
  expect([await statusOf(token), await statusOf(renewed)]).toEqual([401, 200]);
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Done" }).click();

  // Revoked for good, after a question; its log stays.
  await fromMenu("Revoke");
  await page.keyboard.press("Escape");
  expect(await statusOf(renewed)).toBe(200);
  await fromMenu("Revoke");
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect.poll(() => page.locator("main").innerText()).toContain("Its token no longer works");
  expect(await statusOf(renewed)).toBe(401);
  await expect.poll(() => calls.count()).toBeGreaterThan(3);
  expect(await button("Edit").count()).toBe(0);

  await page.getByRole("link", { name: "Assistants" }).first().click();
  await expect.poll(() => page.locator("main").innerText()).toContain("No assistants connected");
  await button("Show 1 revoked").click();
  await page
    .locator("main")
    .getByRole("link", { name: /Night shift/ })
    .click();
  await page.waitForURL(address);
  await page.goto(`${origin}/app/settings/assistants/${shop.widgetId}`);
  await expect.poll(() => page.locator("main").innerText()).toContain("Page not found");

  expect(found).toEqual([]);
  expect(strangers).toEqual([]);
  expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
});

test("the audit log says who did what, and admins alone see it", async () => {
  const ben = await joins(shop, BEN);
  await shop.api.createWidget({ body: { name: "Help pages" } });
  const { page, complaints } = await signIn(shop, "/settings/audit-log");
  const lines = () => page.getByRole("list", { name: "Audit log" }).getByRole("listitem").allInnerTexts();
  const newest = async () => (await lines())[0] ?? "";
  await expect.poll(newest).toContain("Signed in");
  expect(await newest()).toMatch(/Ada.*127\.0\.0\.1/s);

  // Changes from another screen are visible after coming back.
  await page.request.patch(`${origin}/app/api/agents/${ben}`, {
    data: { role: "CHAT_AGENT_ADMIN" },
    headers: { Origin: origin },
  });
  await page.reload();
  await expect.poll(newest).toContain("Role of Ben changed to Admin");
  expect((await lines()).join()).not.toMatch(/audit\.did|[{}]/);
  expect(await violationsInDepth(page, "audit log")).toEqual([]);

  await page.getByLabel("Action", { exact: true }).selectOption("Widget “…” added");
  await expect.poll(async () => (await lines()).length).toBe(1);
  expect(await newest()).toMatch(/Widget “Help pages” added.*API key “main”/s);
  await page.getByLabel("Performed by").selectOption("Ada");
  await expect.poll(() => page.locator("main").innerText()).toContain("No results");
  await page.getByLabel("Action", { exact: true }).selectOption("Any");
  await expect.poll(newest).toContain("Role of Ben");
  expect((await lines()).every((line) => line.includes("Ada"))).toBe(true);

  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /CSV/ }).click()]);
  expect(saved.suggestedFilename()).toBe("audit-log.csv");
  const table = (await readFile(await saved.path(), "utf8")).trim().split("\r\n");
  expect(table).toHaveLength((await lines()).length + 1);
  expect(table[1]).toContain('"Ada","Role of Ben changed to Admin"');

  // Ben becomes a member again: he sees neither screen, and the service refuses.
  await page.request.patch(`${origin}/app/api/agents/${ben}`, {
    data: { role: "CHAT_AGENT_MEMBER" },
    headers: { Origin: origin },
  });
  const his = (await signIn(shop, "/settings/profile", {}, BEN)).page;
  await his.waitForSelector("main section h2");
  expect(await his.getByRole("link", { name: /Audit log|Assistants/ }).count()).toBe(0);
  for (const part of ["audit-log", "assistants", `assistants/${shop.widgetId}`]) {
    await his.goto(`${origin}/app/settings/${part}`);
    await expect.poll(() => his.locator("main").innerText()).toContain("Ask an admin");
  }
  for (const path of ["/audit-log", "/v1/assistants", `/v1/assistants/${shop.widgetId}/calls`])
    expect((await his.request.get(`${origin}/app/api${path}`)).status(), path).toBe(403);
  expect(complaints).toEqual([]);
});

test("an assistant is offered no channel that does not exist; one that was granted earlier stays until it is taken back", async () => {
  const { data } = await shop.api.createAssistant({
    body: { name: "Early", permissions: ["view_tags"], widgets: "all", channels: ["whatsapp"], agent_id: null },
  });
  const { page } = await signIn(shop, "/settings/assistants");
  const dialog = dialogOf(page);
  await page.getByRole("button", { name: "Connect assistant" }).click();
  await dialog.getByLabel("Replies as").waitFor();
  expect(await dialog.innerText()).toContain("Widgets");
  expect(await dialog.innerText()).not.toMatch(/Messenger|WhatsApp|Facebook|Instagram/);

  await page.goto(`${origin}/app/settings/assistants/${data.id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const granted = dialog.getByRole("checkbox", { name: "WhatsApp" });
  await expect.poll(() => granted.isChecked()).toBe(true);
  expect(await dialog.innerText()).not.toMatch(/Messenger|Facebook|Instagram/);
  const channels = async () =>
    (await shop.api.getAssistant({ params: { assistant: data.id } })).data.attributes.channels;
  await dialog.locator("input[name=name]").fill("Early bird");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await channels()).toEqual(["whatsapp"]);
  await page.getByRole("button", { name: "Edit" }).click();
  await granted.click();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await channels()).toEqual([]);
});
