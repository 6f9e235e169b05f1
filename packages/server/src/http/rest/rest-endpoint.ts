import type { Body, Params, Query, Response, RestOperation } from "@frontdesk/core/contract";
import { IDEMPOTENCY_KEY, IdempotencyKey, successStatus } from "@frontdesk/core/contract";
import { because } from "@frontdesk/core/domain/reasons";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AgentActor, ApiKeyActor } from "../../access/actor.ts";
import type { AskCopilot } from "../../ai/copilot/ask-copilot.ts";
import type { TestModel } from "../../ai/settings/test-ai.ts";
import type { CheckAccount } from "../../channels/check-channel.ts";
import type { Operation } from "../../context.ts";
import type { FileStorage } from "../../files/file-storage.ts";
import type { ReceiveUpload } from "../../files/receive-upload.ts";
import { answerOnce } from "../../idempotency/answer-once.ts";
import type { Perform } from "../../perform.ts";
import { type Asked, type Content, serveOperation } from "../framework/serve-operation.ts";
import { leaveBodyUnread } from "../framework/unread-bodies.ts";

/** A validated request of one operation. */
export interface RestRequest<O extends RestOperation> {
  params: Params<O>;
  query: Query<O>;
  body: Body<O>;
  /** Its public address; lists make their links of it. */
  url: URL;
}

/** What a route needs besides its request. */
export interface RestServices {
  perform: Perform;
  /** Authenticates and limits the request; throws when it is refused. */
  door(request: FastifyRequest, reply: FastifyReply): Promise<ApiKeyActor | AgentActor>;
  /** Without a slash at the end. */
  publicUrl: string;
  /** Whether e-mail can be sent. */
  mail: boolean;
  /** Tries an account of a channel. */
  checkAccount: CheckAccount;
  /** Asks the model for an agent. */
  askCopilot: AskCopilot;
  /** Tries a model server. */
  testModel: TestModel;
  /** Receives files. */
  receiveUpload: ReceiveUpload;
  /** Where their contents are. */
  fileStorage: FileStorage;
}

/** One operation of the catalogue with the product operation behind it. */
export interface Endpoint {
  operation: RestOperation;
  register(app: FastifyInstance, services: RestServices): void;
}

/**
 * Connects an entry of the REST catalogue to a product operation: how a request becomes the input and how the result becomes
 * the answer, and nothing else. Statuses, schemas and bounds are in the catalogue, rules in the operation.
 */
export function endpoint<const O extends RestOperation, Input, Result>(
  operation: O,
  performs: Operation<Input, Result>,
  input: (request: RestRequest<O>, services: RestServices) => Input,
  answer: (result: Result, request: RestRequest<O>, services: RestServices) => Response<O>,
): Endpoint {
  const status = successStatus(operation);
  return {
    operation,
    register(app, services) {
      serveOperation<O>(app, operation, {
        async enter(request, reply) {
          if (!operation.body) leaveBodyUnread(request);
          request.actor = await services.door(request, reply);
          if (operation.retrySafe) request.idempotencyKey = idempotencyKey(request);
        },

        async answer({ params, query, body, request, reply }) {
          const actor = actorOf(request);
          const { idempotencyKey: key } = request;
          const asked: RestRequest<O> = {
            params,
            query,
            body,
            // Parsed only where it is needed: in lists, and for requests that may be repeated.
            get url() {
              return publicAddress(services.publicUrl, request.url);
            },
          };
          const given = input(asked, services);
          if (!key) return answer(await services.perform(actor, performs, given), asked, services);

          const retry = { key, request: [operation.method, asked.url.pathname, asked.body] };
          const once = answerOnce(performs, retry, (result) => ({
            status,
            body: answer(result, asked, services) as object,
          }));
          const first = await services.perform(actor, once, given);
          if (first.replayed) reply.header("idempotent-replayed", "true");
          reply.code(first.status);
          return first.body as Response<O>;
        },
      });
    },
  };
}

/** A validated request of one operation, and who makes it. */
type AskedBy<O extends RestOperation> = Asked<O> & { actor: ApiKeyActor | AgentActor };

/**
 * The same for an entry whose answer is more than the result of one operation: what waits for another server after the transaction,
 * files, and streams.
 */
export function endpointAnsweredBy<const O extends RestOperation>(
  operation: O,
  answer: (asked: AskedBy<O>, services: RestServices) => Promise<Response<O> | Content>,
): Endpoint {
  const { body, content } = operation as RestOperation;
  return {
    operation,
    register(app, services) {
      serveOperation<O>(app, operation, {
        async enter(request, reply) {
          if (!body && !content) leaveBodyUnread(request);
          request.actor = await services.door(request, reply);
        },
        answer: (asked) => answer({ ...asked, actor: actorOf(asked.request) }, services),
      });
    },
  };
}

function actorOf({ actor }: FastifyRequest): ApiKeyActor | AgentActor {
  if (!actor) throw new Error("The route was reached without an actor.");
  return actor;
}

declare module "fastify" {
  interface FastifyRequest {
    actor?: ApiKeyActor | AgentActor;
    idempotencyKey?: string | undefined;
  }
}

/** The public address of a request; PUBLIC_URL may have a path of its own before ours. */
function publicAddress(publicUrl: string, target: string): URL {
  // Proxies may send the whole address instead of the path.
  const { pathname, search } = new URL(target, publicUrl);
  return new URL(`${publicUrl}${pathname}${search}`);
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  // Node joins a header that is sent twice with a comma, and so it is another key.
  const key = request.headers[IDEMPOTENCY_KEY.toLowerCase()]?.toString();
  if (key === undefined) return undefined;
  const { minLength = 0, maxLength = 0 } = IdempotencyKey as { minLength?: number; maxLength?: number };
  if (key.length < minLength || key.length > maxLength || !/^[\x20-\x7e]+$/.test(key)) {
    throw invalid({ [IDEMPOTENCY_KEY]: because("idempotency-key-form", { min: minLength, max: maxLength }) });
  }
  return key;
}
