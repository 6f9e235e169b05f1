/** A team with the built-in AI at work, on a scripted model server, with the time in the hands of the test. */

import type { App } from "@frontdesk/server";
import { type AiChange, updateAi } from "@frontdesk/server/ai/settings/update-ai";
import { addArticle } from "@frontdesk/server/knowledge/add-article";
import type { Storage } from "@frontdesk/server/storage/database";
import { expect } from "vitest";
import { type HeldTimeouts, heldTimeouts } from "./held-timeouts.ts";
import { type ScriptedModel, startScriptedModel } from "./scripted-model.ts";
import { appOn, query } from "./second-app.ts";
import { startTestApp, type TestApp, type TestTeam } from "./test-kit.ts";

export interface AiScene extends Omit<TestApp, "team" | "app"> {
  app: App;
  model: ScriptedModel;
  timeouts: HeldTimeouts;
  env: Record<string, string>;
  /** Where the app listens. */
  origin: string;
  /** A team whose AI is on, with an article on opening hours. */
  team(change?: AiChange): Promise<TestTeam>;
  /** So many articles, about something that no one asks for, that the knowledge base is not read whole. */
  fill(team: TestTeam): Promise<void>;
  /** Vera writes; returns the ids. */
  write(team: TestTeam, content: string, contactId?: string): Promise<{ conversationId: string; contactId: string }>;
  /** Time goes on, also for what waits. */
  pass(ms: number): void;
  /** What the AI has written, oldest first. */
  said(conversationId: string): Promise<string[]>;
  conversation(id: string): Promise<Record<string, unknown>>;
  runs(conversationId: string): Promise<Record<string, unknown>[]>;
  /** The pause after a message passes, and the turn comes to its end. */
  turn(conversationId: string): Promise<void>;
}

/** The server has it; a team that wants it sets it. */
export const SECOND_MODEL = "spare";
export const PARCELS = "Parcels arrive within 3 working days in all of Germany.";

const FILLER = "The granite pebbles on it are sorted by weight. ";

/**
 * @param settings besides those of the model
 * @param behind what the process of the turns sees of the data
 */
export async function startAiScene(
  settings: Record<string, string> = {},
  behind: (storage: Storage) => Storage = (storage) => storage,
): Promise<AiScene> {
  const model = await startScriptedModel({ secondModel: SECOND_MODEL });
  const timeouts = heldTimeouts();
  const env = { AI_BASE_URL: model.url, AI_MODEL: "scripted", ...settings };
  const kit = await startTestApp(env);
  const { storage, runtime, clock } = kit;
  const app = await appOn({ storage: behind(storage), runtime, timeouts, env });
  const origin = await app.start();
  const rows = (text: string) => query(storage, text);
  const scene: AiScene = {
    ...{ ...kit, app, origin, model, timeouts, env },
    async team(change = {}) {
      const team = await kit.team();
      await app.perform(team.actor, updateAi, { is_active: true, name: "Robin", ...change });
      await app.perform(team.actor, addArticle, {
        question: "How long does a parcel take?",
        answer: PARCELS,
        isPublished: true,
      } as never);
      return team;
    },
    async fill({ actor }) {
      for (let shelf = 0; shelf < 20; shelf += 1) {
        const about = { question: `What is the inventory of shelf ${shelf}?`, answer: FILLER.repeat(60) };
        await app.perform(actor, addArticle, { ...about, isPublished: true });
      }
    },
    async write(team, content, contactId) {
      const body = { widget_id: team.widgetId, content, ...(contactId && { contact_id: contactId }) };
      const { status, body: answer } = await team.post("/conversations", body);
      expect(status).toBe(200);
      const { conversation_id: id } = answer.data.attributes;
      const { contact_id } = await scene.conversation(id);
      return { conversationId: id, contactId: String(contact_id) };
    },
    pass(ms) {
      clock.advance(ms);
      timeouts.advance(ms);
    },
    said: async (id) =>
      (
        await rows(
          `SELECT content FROM messages WHERE conversation_id = '${id}' AND sent_via = 'ai' ORDER BY sort_number`,
        )
      ).map(({ content }) => String(content)),
    conversation: async (id) =>
      (await rows(`SELECT * FROM conversations WHERE id = '${id}'`))[0] as Record<string, unknown>,
    runs: (id) => rows(`SELECT * FROM ai_runs WHERE conversation_id = '${id}' ORDER BY id`),
    async turn(id) {
      const before = (await scene.runs(id)).length;
      scene.pass(1_300);
      await expect.poll(async () => (await scene.runs(id)).length, { interval: 5 }).toBeGreaterThan(before);
    },
  };
  return scene;
}
