const META_VERSION = "io.modelcontextprotocol/protocolVersion";

/** JSON-RPC's code; our own errors use HTTP's numbers, which are outside of the reserved ranges. */
const PARSE_ERROR = -32_700;
const GATEWAY_ERROR = 502;
const UNREACHABLE = 503;

const CUT_OFF: RpcError = {
  code: GATEWAY_ERROR,
  message: "The connection to Frontdesk closed before the response arrived.",
};

/** Which field of a request goes into the header `Mcp-Name` (MCP 2026-07-28, Streamable HTTP). */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

interface Message {
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: { protocolVersion?: unknown };
  error?: { message?: unknown };
  /** Present in an error of our endpoint. */
  message?: unknown;
}

interface RpcError {
  code: number;
  message: string;
  data?: object;
}

export interface StdioBridge {
  /** The address of Frontdesk's MCP endpoint. */
  url: string;
  token: string;
  /** What the host writes: a message a line. */
  lines: AsyncIterable<string>;
  /** Passes a message to the host. */
  say(message: object): void;
}

/**
 * Carries MCP between a host that speaks over standard input and output, and our endpoint: each message is an HTTP request, and
 * what it returns, at once or as a stream, is passed on as it arrives. The protocol's revision is the host's own affair; only
 * the headers are derived from its messages.
 *
 * Ends when `lines` end and all requests are answered. Every failure on the way becomes an answer of JSON-RPC.
 */
export async function bridgeStdio({ url, token, lines, say }: StdioBridge): Promise<void> {
  /** Requests without an answer, by their ids. */
  const open = new Map<unknown, { method: string | undefined; leave(): void }>();
  const exchanges = new Set<Promise<void>>();
  /** The version that a handshake of 2025 has agreed on; later requests name it. */
  let agreed: string | undefined;

  for await (const line of lines) {
    if (line.trim() === "") continue;
    const message = parsed(line);
    if (!message) say(failure(null, { code: PARSE_ERROR, message: "This line is not valid JSON." }));
    // Over HTTP a request is cancelled by closing it; no answer is expected any more.
    else if (!Array.isArray(message) && message.method === "notifications/cancelled") {
      open.get(message.params?.requestId)?.leave();
    } else {
      const exchange = carry(message).finally(() => exchanges.delete(exchange));
      exchanges.add(exchange);
    }
  }
  // Requests are still answered; streams would never end.
  for (const { method, leave } of open.values()) if (method === "subscriptions/listen") leave();
  await Promise.all(exchanges);

  async function carry(message: Message | Message[]): Promise<void> {
    const single = Array.isArray(message) ? undefined : message;
    const unanswered = new Set<unknown>([message].flat().flatMap((one) => (isRequest(one) ? [one.id] : [])));
    const leaving = new AbortController();
    const request = { method: single?.method, leave: () => leaving.abort() };
    for (const id of single ? unanswered : []) open.set(id, request);
    let fault = (error: unknown): RpcError => unreachable(error, url);
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: { ...headersOf(single, agreed), authorization: `Bearer ${token}` },
        body: JSON.stringify(message),
        signal: leaving.signal,
        redirect: "manual",
      });
      fault = () => CUT_OFF;
      for await (const said of messagesIn(answer, url)) {
        if (said.method === undefined) unanswered.delete(said.id);
        if (single?.method === "initialize" && typeof said.result?.protocolVersion === "string") {
          agreed = said.result.protocolVersion;
        }
        say(said);
      }
      fail(CUT_OFF);
    } catch (error) {
      if (!leaving.signal.aborted) fail(error instanceof Refused ? error.rpcError : fault(error));
    } finally {
      if (single && open.get(single.id) === request) open.delete(single.id);
    }

    function fail(error: RpcError): void {
      for (const id of unanswered) say(failure(id, error));
    }
  }
}

/** @throws Refused the refusal by HTTP, as a sentence for a person */
async function* messagesIn(answer: Response, url: string): AsyncGenerator<Message> {
  const type = answer.headers.get("content-type") ?? "";
  if (answer.body && type.startsWith("text/event-stream")) {
    for await (const data of eventsIn(answer.body)) yield JSON.parse(data) as Message;
    return;
  }
  const text = await answer.text();
  const body = type.startsWith("application/json") ? parsed(text) : undefined;
  const isAnswer = answer.ok || isProtocolError(answer.status, body);
  if (!isAnswer) throw new Refused(refusal(answer, body, url));
  if (body) yield* [body].flat();
  else if (text !== "") throw new Refused(notOurs(answer.status, url));
}

/** An answer to the request itself; an error of the endpoint before the protocol has no id. */
function isProtocolError(status: number, body: Message | Message[] | undefined): boolean {
  return (status === 400 || status === 404) && !Array.isArray(body) && body?.error !== undefined && body.id !== null;
}

/** The server has refused the request, with a reason. */
class Refused extends Error {
  readonly rpcError: RpcError;
  constructor(rpcError: RpcError) {
    super(rpcError.message);
    this.rpcError = rpcError;
  }
}

/** The headers that revision 2026-07-28 requires for a message, and those of 2025 after their handshake. */
function headersOf(message: Message | undefined, agreed: string | undefined): Record<string, string> {
  const { method = "", params } = message ?? {};
  const meta = params?._meta as Record<string, unknown> | undefined;
  const version = meta?.[META_VERSION];
  const headers: Record<string, unknown> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": version ?? agreed,
  };
  if (version !== undefined) {
    const name = params?.[NAMED_BY[method] ?? ""];
    headers["mcp-method"] = method;
    headers["mcp-name"] = typeof name === "string" ? inHeader(name) : undefined;
  }
  // What a header cannot contain is left out; the server reports what is wrong with it.
  return Object.fromEntries(Object.entries(headers).filter(hasPlainValue));
}

const hasPlainValue = (entry: [string, unknown]): entry is [string, string] =>
  typeof entry[1] === "string" && PLAIN.test(entry[1]);

/** Text that a header can contain unchanged. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** The encoding of the revision for what a header cannot contain. */
function inHeader(text: string): string {
  if (PLAIN.test(text) && !text.startsWith("=?base64?")) return text;
  return `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

/** The data of a stream of events. */
async function* eventsIn(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
      if (data.length > 0) yield data.map((line) => line.slice("data:".length)).join("\n");
    }
  }
}

function refusal(answer: Response, body: Message | Message[] | undefined, url: string): RpcError {
  const code = answer.status;
  const words = Array.isArray(body) ? undefined : (body?.message ?? body?.error?.message);
  if (code >= 300 && code < 400) {
    return { code, message: `${url} redirects to ${answer.headers.get("location")}. Use that address with --url.` };
  }
  if (typeof words !== "string") return notOurs(code, url);
  if (code === 401) {
    const message =
      "Frontdesk does not know the token in FRONTDESK_TOKEN; it may have been revoked. An admin can create a new connection.";
    return { code, message };
  }
  const wait = Number(answer.headers.get("retry-after") || Number.NaN);
  if (Number.isNaN(wait)) return { code, message: words };
  return { code, message: `${words} Try again in ${wait} seconds.`, data: { retry_after_seconds: wait } };
}

function notOurs(status: number, url: string): RpcError {
  const message = `${url} returned HTTP ${status} but is not a Frontdesk server. Check that the address ends in /mcp.`;
  return { code: GATEWAY_ERROR, message };
}

function unreachable(error: unknown, url: string): RpcError {
  const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
  const reason = cause?.code ?? cause?.message ?? message;
  // The server was reached, and has closed the connection.
  if (reason === "UND_ERR_SOCKET" || reason === "ECONNRESET") return CUT_OFF;
  return {
    code: UNREACHABLE,
    message: `Frontdesk cannot be reached at ${url} (${reason}). Check that it is running and that the address is correct.`,
  };
}

const failure = (id: unknown, error: RpcError): object => ({ jsonrpc: "2.0", id, error });

/** A message, or several; undefined for anything else. */
function parsed(text: string): Message | Message[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const isRequest = (message: Message | null): message is Message & { id: string | number } =>
  message?.method !== undefined && message.id !== undefined;
