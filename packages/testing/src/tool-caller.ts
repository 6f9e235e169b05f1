/** Assistants with a bearer token, over an app's plain HTTP interface for tools. */

import type { App } from "@frontdesk/server";
import type { AssistantState } from "@frontdesk/server/assistants/assistant";
import { createAssistant, type NewAssistant } from "@frontdesk/server/assistants/create-assistant";
import {
  type AssistantChange,
  setAssistantState,
  updateAssistant,
} from "@frontdesk/server/assistants/update-assistant";
import type { Storage } from "@frontdesk/server/storage/database";
import { expect } from "vitest";
import { dump } from "./second-app.ts";
import type { TestTeam } from "./test-kit.ts";

export interface ToolAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  /** As received, byte for byte. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  body: any;
}

export interface ToolCaller {
  assistantId: string;
  token: string;
  /** POST /tools/{name}. A string is sent unchanged, undefined is no body at all. */
  call(name: string, body?: unknown, headers?: Record<string, string>): Promise<ToolAnswer>;
  /** The result of a call that has to succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  result(name: string, given?: object): Promise<any>;
  /** Calls a tool that needs confirmation, then again with the received token. */
  confirm(name: string, given: object): Promise<ToolAnswer>;
  /** The names of GET /tools. */
  list(): Promise<string[]>;
  /** What the owner does with the connection. */
  set(state: AssistantState): Promise<unknown>;
  change(change: AssistantChange): Promise<unknown>;
}

/** A new connection of the team with all permissions that speaks as Ada, unless given otherwise. */
export async function connect(app: App, team: TestTeam, asked: Partial<NewAssistant> = {}): Promise<ToolCaller> {
  const { assistant, token } = await app.perform(team.actor, createAssistant, {
    name: "Robin",
    permissions: "all",
    widgets: "all",
    channels: "all",
    agentId: team.ada.id,
    ...asked,
  });
  return callerWith(app, team, { assistantId: assistant.id, token });
}

/** The same connection to any app on its data. */
export function callerWith(
  app: App,
  team: TestTeam,
  { assistantId, token }: { assistantId: string; token: string },
): ToolCaller {
  const ask = async (method: "GET" | "POST", url: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await app.http.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = answer.payload;
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string | undefined>,
      text,
      body: answer.headers["content-type"]?.toString().startsWith("application/json") ? JSON.parse(text) : text,
    };
  };
  const call: ToolCaller["call"] = (name, body, headers) => ask("POST", `/tools/${name}`, body, headers);
  const result: ToolCaller["result"] = async (name, given = {}) => {
    const { status, text, body } = await call(name, given);
    expect(status, text).toBe(200);
    return body;
  };
  return {
    assistantId,
    token,
    call,
    result,
    async confirm(name, given) {
      const { confirmation_token } = await result(name, given);
      return call(name, { ...given, confirmation_token });
    },
    async list() {
      const { status, text, body } = await ask("GET", "/tools");
      expect(status, text).toBe(200);
      return body.tools.map((tool: { name: string }) => tool.name);
    },
    set: (state) => app.perform(team.actor, setAssistantState, { assistantId, state }),
    change: (change) => app.perform(team.actor, updateAssistant, { assistantId, change }),
  };
}

/**
 * All stored data, except what a call without changes may write: its line in the log, a confirmation, and when the connection
 * was last used.
 */
export async function dumpOfProduct(storage: Storage): Promise<string> {
  const tables = (await dump(storage)).split("\n");
  return tables.filter((table) => !/^(tool_calls|confirmations|assistants|audit_log): /.test(table)).join("\n");
}
