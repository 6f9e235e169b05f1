import { openBin } from "@frontdesk/testing/frontdesk-bin";
import { query } from "@frontdesk/testing/second-app";
import { expect, test } from "vitest";

const shop = await openBin();

test("a widget is removed beside the running server, which erases its conversations if the command says so", async () => {
  const owner = ["--name", "Ada", "--email", "ada@acme.test", "--password", "correct horse"];
  const { answer: made } = await shop.json([
    "setup",
    "--team",
    "Acme",
    ...owner,
    "--widget",
    "Website",
    "--api-key",
    "main",
  ]);
  const { url } = await shop.serveHere();
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  const ask = async (path: string, body?: object): Promise<any> => {
    const headers = { "x-api-key": made.api_key, "content-type": "application/json" };
    const answer = await fetch(`${url}/api/v1${path}`, {
      headers,
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  const widget = { id: made.widget_id };
  await ask("/conversations", { widget_id: widget.id, content: "Do you ship to Portugal?" });
  await ask("/contacts/initialize", { widgetId: widget.id });

  const refused = await shop.json(["widget", "remove", widget.id]);
  expect(refused.code).toBe(1);
  expect(refused.answer.error).toBe(
    "Conversations of this widget: 1, contacts: 2. To erase them with it, add --erase-conversations.",
  );

  const removed = await shop.json([
    "widget",
    "remove",
    widget.id,
    "--erase-conversations",
    "--reason",
    "The shop has closed",
  ]);
  expect(removed).toMatchObject({ code: 0, answer: { id: widget.id, removed: true } });
  const { id } = removed.answer.erasure;
  const state = () => query(shop.storage, `SELECT state FROM erasures WHERE id = '${id}'`);
  await expect.poll(state).toEqual([{ state: "done" }]);
  expect((await ask("/contacts")).meta.pagination.total).toBe(0);
  expect((await ask("/widgets")).meta.pagination.total).toBe(0);

  const again = await shop.json(["widget", "remove", widget.id]);
  expect(again).toEqual({ code: 1, answer: { error: "Widget not found." } });
});
