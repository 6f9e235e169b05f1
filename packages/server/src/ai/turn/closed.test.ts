/** A handoff while the team is closed: it says when a person is back, and asks for an email address once (reference row B9). */
import { startAiScene } from "@frontdesk/testing/ai-scene";
import type { TestTeam } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";
import { returnToAssistant } from "../../conversations/return-to-assistant.ts";
import { setConversationStatus } from "../../conversations/set-conversation-status.ts";
import { updateWidget } from "../../widgets/update-widget.ts";

// Mail can be sent, and no mail server is there.
const scene = await startAiScene({ SMTP_URL: "smtp://127.0.0.1:1" });
const { app, clock } = scene;
afterAll(() => scene.model.stop());
/** Thursday evening in Berlin; Friday is a holiday, then comes the weekend. */
const CHRISTMAS_EVE = Date.parse("2026-12-24T18:30:00Z");
const SPAN = [{ from: "09:00", to: "17:00" }];
const HOURS = {
  timezone: "Europe/Berlin",
  week: { mon: SPAN, tue: SPAN, wed: SPAN, thu: SPAN, fri: SPAN },
  closed: ["2026-12-25"],
};
clock.advance(CHRISTMAS_EVE - clock.now());

const ASKS_FOR_EMAIL = "Leave your email address";

async function closedTeam(): Promise<TestTeam> {
  const team = await scene.team();
  await app.perform(team.actor, updateWidget, { widgetId: team.widgetId, change: { settings: { hours: HOURS } } });
  return team;
}

/** A visitor with these traits asks for a person; resolves to what they are told. */
async function handedOver(team: TestTeam, traits: object = {}) {
  const { body } = await team.post("/contacts/initialize", { widgetId: team.widgetId, language: "en", ...traits });
  const { conversationId, contactId } = await scene.write(team, "I want to talk to a human", body.data.id);
  await scene.turn(conversationId);
  return { conversationId, contactId, said: (await scene.said(conversationId)).at(-1) ?? "" };
}

test.each([
  ["Asia/Tokyo", "on Monday at 5:00 PM"],
  ["America/New_York", "on Monday at 3:00 AM"],
  ["Pacific/Auckland", "on Monday at 9:00 PM"],
  // Of the team, where the visitor's is not known.
  [undefined, "on Monday at 9:00 AM"],
])("after a holiday and a weekend, in the time zone %s the team is back %s", async (timezone, opens) => {
  const { said } = await handedOver(await closedTeam(), { ...(timezone && { timezone }) });
  expect(said).toContain(`We’re closed right now and open again ${opens}.`);
});

test("who has left an email address is not asked for it", async () => {
  const acme = await closedTeam();
  const { said } = await handedOver(acme, { email: "vera@visitor.test" });
  expect(said).toContain("closed right now");
  expect(said).not.toContain(ASKS_FOR_EMAIL);
});

test("who has left none is asked for it once in a conversation, whatever comes after", async () => {
  const acme = await closedTeam();
  const { conversationId, contactId, said } = await handedOver(acme);
  expect(said).toContain(ASKS_FOR_EMAIL);
  const again = async () => {
    await scene.write(acme, "A real person, please", contactId);
    await scene.turn(conversationId);
    return (await scene.said(conversationId)).at(-1);
  };
  await app.perform(acme.actor, returnToAssistant, { conversationId });
  const second = await again();
  // A new episode, in which the AI knows nothing else of the one before.
  await app.perform(acme.actor, setConversationStatus, { conversationId, status: "resolved", agentId: undefined });
  const third = await again();
  for (const words of [second, third]) {
    expect(words).toContain("open again on Monday");
    expect(words).not.toContain(ASKS_FOR_EMAIL);
  }
  expect(await scene.said(conversationId)).toHaveLength(3);
});

test("where the team is open, no time is told, and the email address is asked for when no one is online", async () => {
  const acme = await closedTeam();
  clock.advance(Date.parse("2026-12-28T08:00:00Z") - clock.now());
  const { said } = await handedOver(acme);
  expect(said).not.toContain("closed");
  expect(said).toContain(ASKS_FOR_EMAIL);
});
