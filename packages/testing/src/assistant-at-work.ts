/** Robin, an assistant, connected and called through the API, with entries in the call log and in the queue. */
import { expect } from "vitest";
import type { TestAnswer, TestApp, TestTeam } from "./test-kit.ts";
import { veraWrites } from "./vera.ts";

/** A connection as its team created it. */
export interface Robin {
  id: string;
  token: string;
}

/** Connects Robin, with all permissions and speaking as Ada, unless given otherwise. */
export async function robinJoins(team: TestTeam, asked: Record<string, unknown> = {}): Promise<Robin> {
  const everything = { name: "Robin", permissions: "all", widgets: "all", agent_id: team.ada.id };
  const { status, body } = await team.post("/assistants", { ...everything, ...asked });
  expect(status).toBe(201);
  return { id: body.data.id, token: body.data.attributes.token };
}

/** One call of a tool over plain HTTP. */
export async function robinCalls(
  { app }: Pick<TestApp, "app">,
  { token }: Pick<Robin, "token">,
  tool: string,
  given: unknown = {},
): Promise<Pick<TestAnswer, "status" | "body">> {
  const answer = await app.http.inject({
    method: "POST",
    url: `/tools/${tool}`,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    payload: JSON.stringify(given),
  });
  return { status: answer.statusCode, body: answer.json() };
}

/** As `robinCalls`, for a tool that needs confirmation: asks first, then performs. */
export async function robinConfirms(
  server: Pick<TestApp, "app">,
  robin: Pick<Robin, "token">,
  tool: string,
  given: object,
): Promise<Pick<TestAnswer, "status" | "body">> {
  const asked = await robinCalls(server, robin, tool, given);
  expect(asked.body).toMatchObject({ confirmation_required: true });
  return robinCalls(server, robin, tool, { ...given, confirmation_token: asked.body.confirmation_token });
}

/** Robin has tagged a conversation, and queued two others to be resolved. */
export async function robinAtWork(server: Pick<TestApp, "app">, team: TestTeam): Promise<Robin> {
  const robin = await robinJoins(team);
  const written = [await veraWrites(team), await veraWrites(team, { name: "Victor" })];
  const conversation_ids = written.map(({ conversationId }) => conversationId);
  const tag = { conversation_id: conversation_ids[0], name: "shipping" };
  expect(await robinCalls(server, robin, "add-tag", tag)).toMatchObject({ status: 200 });
  const resolve = await robinConfirms(server, robin, "resolve-conversation", { conversation_ids });
  expect(resolve).toMatchObject({ status: 200, body: { queued: true } });
  return robin;
}
