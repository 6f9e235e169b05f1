/** A team with data for each tool, and matching arguments. */
import type { ToolName } from "@frontdesk/core/contract/tools";
import { setCustomData } from "@frontdesk/server/custom-data/set-custom-data";
import { addArticle } from "@frontdesk/server/knowledge/add-article";
import { addTag } from "@frontdesk/server/tags/add-tag";
import { createWidget } from "@frontdesk/server/widgets/create-widget";
import type { TestApp, TestTeam } from "./test-kit.ts";
import { adaReplies, veraWrites, type Written } from "./vera.ts";

/** A contact who wrote, with a tag on the conversation, custom data and an answer. */
export interface SceneContact extends Written {
  name: string;
  email: string;
  phone: string;
}

export interface ToolScene {
  acme: TestTeam;
  vera: SceneContact;
  /** Writes through the team's other widget. */
  olga: SceneContact;
  otherWidgetId: string;
}

/** Acme with Vera at its first widget and Olga at its other one; both have data for every tool. */
export async function openShop(kit: TestApp): Promise<ToolScene> {
  const acme = await kit.team();
  const other = await kit.app.perform(acme.actor, createWidget, { name: "Other website" });
  const article = { question: "Where do you ship to?", answer: "To all of Europe.", isPublished: true };
  await kit.app.perform(acme.actor, addArticle, article);
  return {
    acme,
    vera: await enters(kit, acme, "Vera", acme.widgetId),
    olga: await enters(kit, acme, "Olga", other.id),
    otherWidgetId: other.id,
  };
}

/** A visitor writes through a widget. */
export async function enters({ app }: TestApp, acme: TestTeam, name: string, widgetId: string): Promise<SceneContact> {
  const phone = `+49${String([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7)).slice(0, 10)}`;
  const email = `${name.toLowerCase()}@visitor.test`;
  const written = await veraWrites(acme, { widget_id: widgetId, name, email, phone, content: `${name} asks for Faro` });
  await adaReplies(acme, written.conversationId);
  await app.perform(acme.actor, addTag, { conversationId: written.conversationId, name: "Shipping" });
  const plan = { contactId: written.contactId, name: "plan", value: "Free", mustExist: false };
  await app.perform(acme.actor, setCustomData, plan);
  return { ...written, name, email, phone };
}

/** Arguments for each tool that match Vera's data, or the given contact's. */
export function fittingArguments(
  { conversationId, contactId }: Pick<Written, "conversationId" | "contactId">,
  { ada }: TestTeam,
): Record<ToolName, Record<string, unknown>> {
  const conversation = { conversation_id: conversationId };
  const conversations = { conversation_ids: [conversationId] };
  const visitor = { visitor_id: contactId };
  return {
    "list-conversations": { status: "all", page: 1, per_page: 25 },
    "get-conversation": conversation,
    "list-conversation-messages": { ...conversation, limit: 50 },
    "search-conversations": { query: "Faro", limit: 20 },
    "get-visitor": visitor,
    "search-contacts": { query: "visitor.test", limit: 20 },
    "search-knowledge-base": { query: "ship", limit: 20 },
    "view-tags": {},
    "view-custom-fields": {},
    "list-agents": { query: "ada", limit: 50 },
    "send-message": { ...conversation, content: "We do." },
    "resolve-conversation": conversations,
    "unresolve-conversation": conversations,
    "assign-conversation": { ...conversations, agent_id: ada.id },
    "add-note": { ...conversation, content: "Asks often." },
    "add-tag": { ...conversation, name: "VIP", color: "#0a7d55" },
    "remove-tag": { ...conversation, name: "Shipping" },
    "add-custom-data": { ...visitor, name: "plan", value: "Pro" },
    "update-custom-data": { ...visitor, name: "plan", value: "Pro" },
    "remove-custom-data": { ...visitor, name: "plan" },
    "handoff-to-human": conversation,
  };
}

/** This many visitors who each write once. */
export async function addVisitors(acme: TestTeam, count: number, body: Record<string, unknown>): Promise<void> {
  const writing = Array.from({ length: count }, (_, number) =>
    veraWrites(acme, { email: `vera${number}@visitor.test`, ...body }),
  );
  await Promise.all(writing);
}
