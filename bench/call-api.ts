/** Single requests for a benchmark's preparation. */

export interface Api {
  port: number;
  apiKey: string;
}

/**
 * Sends one request to the REST API and resolves to its body.
 *
 * @throws when the answer is not 2xx
 */
export async function callApi<Body>({ port, apiKey }: Api, method: string, path: string, body?: object): Promise<Body> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { "X-API-KEY": apiKey, ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Body;
}

const AT_ONCE = 50;

/** Makes `count` calls, 50 at a time, and resolves to their results in order. `n` counts from 0. */
export async function callMany<Result>(count: number, call: (n: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < count) {
    const next = Array.from({ length: Math.min(AT_ONCE, count - results.length) }, (_, n) => results.length + n);
    results.push(...(await Promise.all(next.map(call))));
  }
  return results;
}

/** Starts a conversation as a visitor; resolves to its id. The same e-mail is the same visitor. */
export async function startConversation(api: Api, widgetId: string, visitor: { name: string; email?: string }) {
  const message = { widget_id: widgetId, content: "Do you ship to Portugal?", ...visitor };
  const { data } = await callApi<MessageBody>(api, "POST", "/conversations", message);
  return data.attributes.conversation_id;
}

interface MessageBody {
  data: { attributes: { conversation_id: string } };
}
