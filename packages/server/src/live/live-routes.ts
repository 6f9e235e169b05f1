import type { EventEmitter } from "node:events";
import type { HelloFrame } from "@frontdesk/core/contract/live";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bearerToken } from "../http/framework/bearer-token.ts";
import { HttpProblem } from "../http/framework/http-problem.ts";
import type { OwnOrigin } from "../http/framework/own-origin.ts";
import type { OwnPage } from "../http/framework/own-page.ts";
import type { RawQuery } from "../http/framework/query-string.ts";
import type { SessionCookie } from "../http/session/session-cookie.ts";
import type { Limits } from "../limits/rate-limiter.ts";
import type { StrangerBounds } from "../limits/stranger-bounds.ts";
import { takeOrRefuse } from "../limits/take-or-refuse.ts";
import type { Timeouts } from "../timeouts.ts";
import type { Caller } from "./live-stream.ts";
import type { LiveStreams } from "./live-streams.ts";
import { overSse, readEventId } from "./over-sse.ts";
import { webSockets } from "./over-websocket.ts";

const PATH = "/live";
/** Polls of one API key or session a minute; those of visitors are in the table of bounds. */
const MOST_POLLS = 120;
const WINDOW_MS = 60_000;
const MAX_TOKENS = 10_000;

export interface LiveServices {
  streams: LiveStreams;
  ownOrigin: OwnOrigin;
  ownPage: OwnPage;
  cookie: SessionCookie;
  limits: Limits;
  bounds: StrangerBounds;
  timeouts: Timeouts;
  epoch(): Promise<string>;
}

/**
 * The live stream (docs/decisions/0020-live-stream.md): `/live` as a WebSocket, `/live/events` as server-sent events, and
 * `/live/poll` for clients that no stream reaches. The token is in a frame, in a header or in the cookie of a session, never in
 * the address.
 */
export async function liveRoutes(app: FastifyInstance, services: LiveServices) {
  const { streams, ownOrigin, ownPage, cookie, limits, bounds, timeouts, epoch } = services;
  const polls = limits.limiter("live-poll", MOST_POLLS, WINDOW_MS, MAX_TOKENS);
  const sockets = webSockets(app.server, PATH, { route: app.routing, streams, callerOf, timeouts });
  let stopping = false;

  app.addHook("onRequest", async (request, reply) => {
    reply.header("cache-control", "no-store");
    ownOrigin(request);
  });
  app.addHook("preClose", async () => {
    stopping = true;
    streams.closeAll();
    await sockets.stop();
  });

  app.get(PATH, async (request, reply) => {
    requireRunning();
    await bounds.take({ address: request.ip }, { connections: 1 });
    sockets.accept(request, reply);
  });

  app.get(`${PATH}/events`, async (request, reply) => {
    requireRunning();
    const hello = { ...helloOf(request), ...readEventId(request.headers["last-event-id"] as string | undefined) };
    const caller = callerOf(request, reply.raw);
    // A client that may not listen is refused by the HTTP answer; once the stream has begun it could only be closed.
    const subscriber = await streams.admit({ ...hello, session: caller.session }, request.ip);
    const name = await epoch();
    reply.hijack();
    const connection = streams.connect(overSse(reply.raw, headersOf(reply), name), caller);
    reply.raw.once("close", () => connection.gone());
    await connection.begin(hello, subscriber);
  });

  app.get(`${PATH}/poll`, async (request) => {
    const { since, epoch: known, ...credentials } = helloOf(request);
    const subscriber = await streams.identifySubscriber({ ...credentials, session: sessionOf(request) }, request.ip);
    if (subscriber.viewer.kind === "agent") await takeOrRefuse(polls, subscriber.key);
    else await bounds.take({ address: request.ip, token: subscriber.key }, { polls: 1 });
    return streams.poll(subscriber, request.ip, { since: since ?? undefined, epoch: known ?? undefined });
  });

  /**
   * The cookie counts only for requests from a page of our own; a WebSocket, which browsers do not restrict to its site, has to
   * prove it.
   */
  function sessionOf(request: FastifyRequest): string | undefined {
    const session = cookie.read(request);
    const isSocket = request.headers.upgrade !== undefined;
    const counts = isSocket ? ownPage.isOwn(request) : !ownPage.isForeign(request);
    return counts ? session : undefined;
  }

  /** @param closing ends with the stream, however it ends */
  function callerOf(request: FastifyRequest, closing: EventEmitter): Caller {
    const releaseSlot = streams.enter(request.ip);
    closing.once("close", releaseSlot);
    return { address: request.ip, session: sessionOf(request), releaseSlot };
  }

  function requireRunning(): void {
    if (stopping) throw new HttpProblem(503, "http.stopping");
  }
}

/** The hello, taken from a request: a token in `Authorization`, the rest in the query. */
function helloOf(request: FastifyRequest): HelloFrame {
  const token = bearerToken(request);
  const query = request.query as RawQuery;
  const since =
    query.since === undefined ? undefined : Number(/^\d{1,15}$/.exec(String(query.since))?.[0] ?? Number.NaN);
  if (Number.isNaN(since)) throw invalid({ since: "not-a-whole-number" });
  return {
    type: "hello",
    ...(token !== undefined && { token }),
    ...(typeof query.widget_id === "string" && { widget_id: query.widget_id }),
    ...(since !== undefined && { since }),
    ...(typeof query.epoch === "string" && { epoch: query.epoch }),
    present: query.present === "true",
  };
}

/** The headers that the hooks have set, for an answer that is written by hand. */
function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
}
