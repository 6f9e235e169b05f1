/** The inbox API as agents use it over HTTP, with their API keys. */
import { randomUUID } from "node:crypto";
import { INBOX_PREFIX } from "@frontdesk/core/contract/inbox";
import type { App } from "@frontdesk/server";
import { createApiKey } from "@frontdesk/server/access/create-api-key";
import { createAgent } from "@frontdesk/server/agents/create-agent";
import { expect } from "vitest";
import type { TestTeam } from "./test-kit.ts";

export interface InboxClient {
  agentId: string;
  apiKey: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  ask(method: string, path: string, body?: object): Promise<{ status: number; body: any }>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  get(path: string): Promise<any>;
  /** Resolves to the body of a successful answer. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  post(path: string, body?: object): Promise<any>;
  /** The ids of a list, page by page. */
  list(query: string): Promise<string[]>;
}

/** The inbox of the agent with this key. */
export function inboxClientOf({ http }: App, { id: agentId, apiKey }: { id: string; apiKey: string }): InboxClient {
  const ask: InboxClient["ask"] = async (method, path, body) => {
    const answer = await http.inject({
      method: method as "GET",
      url: `${INBOX_PREFIX}${path}`,
      headers: { "x-api-key": apiKey },
      ...(body && { payload: body }),
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  const succeeds = async (method: string, path: string, body?: object) => {
    const answer = await ask(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  return {
    agentId,
    apiKey,
    ask,
    get: (path) => succeeds("GET", path),
    post: (path, body = {}) => succeeds("POST", path, body),
    async list(query) {
      const ids: string[] = [];
      let before: string | null = null;
      do {
        const page = await succeeds(
          "GET",
          `/conversations?${query}${before ? `&before=${encodeURIComponent(before)}` : ""}`,
        );
        ids.push(...page.conversations.map(({ id }: { id: string }) => id));
        before = page.next;
      } while (before);
      return ids;
    },
  };
}

export const adasInbox = (app: App, team: TestTeam): InboxClient =>
  inboxClientOf(app, { id: team.ada.id, apiKey: team.apiKey });

/** Ben joins the team, and gets his own inbox. */
export async function bensInbox(app: App, team: TestTeam): Promise<InboxClient> {
  const email = `ben-${randomUUID().slice(0, 8)}@acme.test`;
  const ben = { name: "Ben", email, role: "CHAT_AGENT_MEMBER", passwordHash: null } as const;
  const { id } = await app.perform(team.actor, createAgent, ben);
  const { value: apiKey } = await app.perform(team.actor, createApiKey, { name: "ben", agentId: id });
  return inboxClientOf(app, { id, apiKey });
}
