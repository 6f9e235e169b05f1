/** The HTTP requests of a visitor's browser with the widget open. */
import { randomBytes, randomUUID } from "node:crypto";
import type { App } from "@frontdesk/server";
import type { TestTeam } from "./test-kit.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A visitor's token, generated as a browser does. */
export const newVisitorToken = () => `fd_visitor_${[...randomBytes(43)].map((byte) => ALPHABET[byte % 62]).join("")}`;

export function browser(
  app: App,
  { widgetId }: Pick<TestTeam, "widgetId">,
  {
    token = newVisitorToken(),
    address = "127.0.0.1",
    headers = {},
  }: { token?: string; address?: string; headers?: Record<string, string> } = {},
) {
  const ask = async (method: "GET" | "POST", path: string, body?: object) => {
    const answer = await app.http.inject({
      method,
      url: `/visitor/${widgetId}${path}`,
      headers: { ...headers, authorization: `Bearer ${token}` },
      remoteAddress: address,
      ...(body && { payload: body }),
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  };
  const chat = (query = "") => ask("GET", `/chat${query}`);
  return {
    token,
    ask,
    chat,
    /** Sends a message. */
    say: (content: string, more: object = {}) =>
      ask("POST", "/messages", { client_id: randomUUID(), content, ...more }),
    /** Sends a message, and resolves to the chat after it. */
    async write(content: string, more: object = {}) {
      const answer = await ask("POST", "/messages", { client_id: randomUUID(), content, ...more });
      return { ...answer, chat: (await chat()).body };
    },
    seen: (conversation_id: string, sort_number: number) => ask("POST", "/seen", { conversation_id, sort_number }),
  };
}
