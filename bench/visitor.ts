/** Visitors of a benchmark. */
import { randomUUID } from "node:crypto";
import { newVisitorToken } from "../packages/client/src/new-ids.ts";

/** The token of a new visitor, each from their own address: one address may have 30 new ones a minute. */
export async function newVisitor(port: number, widgetId: string, n: number): Promise<string> {
  const token = newVisitorToken();
  await visitorWrites(port, widgetId, { token, content: "Hello", name: `Vera ${n}`, n });
  return token;
}

export async function visitorWrites(
  port: number,
  widgetId: string,
  { token, content, name, n }: { token: string; content: string; name?: string; n: number },
): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/visitor/${widgetId}/messages`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "x-forwarded-for": `10.${Math.floor(n / 250)}.${n % 250}.1`,
    },
    body: JSON.stringify({ client_id: randomUUID(), content, ...(name && { name }) }),
  });
  if (answer.status !== 201) throw new Error(`A visitor was refused: ${answer.status}`);
}
