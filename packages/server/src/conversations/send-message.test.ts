import { expect, test } from "vitest";
import { startTestApp } from "../../test/test-kit.ts";

const { team } = await startTestApp();

test("a reply through POST /messages answers 201 with the message, its agent and its contact", async () => {
  const acme = await team();
  const asked = await acme.post("/conversations", { widget_id: acme.widgetId, content: "Hello?", name: "Vera" });
  expect(asked.status).toBe(200);
  const { conversation_id, contact } = asked.body.data.attributes;

  const answer = await acme.post("/messages", { conversation_id, content: "Hello Vera" });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    data: {
      type: "messages",
      id: expect.any(String),
      attributes: {
        conversation_id,
        contact_id: contact.id,
        agent: { id: acme.ada.id, name: "Ada" },
        contact: { id: contact.id, name: "Vera" },
        origin: "chat",
        content: "Hello Vera",
        type: "message",
        created_at: "2026-11-20T09:00:00.000Z",
      },
    },
  });
});
