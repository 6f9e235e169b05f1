/**
 * The OpenAPI 3.1 document, built from the catalogue: this file has no facts of the API, only how the document is put together.
 */
import type { TObject, TSchema } from "typebox";
import { type ApiKeyScope, scopesFor } from "../domain/policy.ts";
import { reasonText } from "../domain/reasons.ts";
import { ErrorBody, ValidationErrorBody } from "./errors.ts";
import {
  ActedBy,
  CreatedConversation,
  DeliveryHeaders,
  deliveryExample,
  deliverySchema,
  EventAgent,
  EventAgentWithEmail,
  EventAttachment,
  EventConversation,
  EventMessage,
  type EventName,
  eventNames,
  eventScope,
  events,
  ResolvedConversation,
  Visitor,
} from "./events.ts";
import { IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_DESCRIPTION, IdempotencyKey } from "./idempotency-key.ts";
import { type RestOperation, successStatus, type Tag } from "./operation.ts";
import {
  Agent,
  Article,
  Assignment,
  Assistant,
  AssistantCall,
  AssistantPermissionDescriptor,
  Contact,
  Conversation,
  CreatedAssistant,
  CreatedWebhook,
  CustomDatum,
  CustomField,
  EventDescriptor,
  Links,
  ListedContact,
  ListedConversation,
  ListedMessage,
  Message,
  PageVisit,
  Pagination,
  QueuedChange,
  TeamTag,
  UploadedFile,
  VisitorMessage,
  Webhook,
  WholeWidget,
  Widget,
  WidgetWithIdentitySecret,
} from "./resources.ts";
import { AttachmentInput } from "./rest/messages.ts";
import { rest } from "./rest.ts";
import { WidgetSettings } from "./widget-settings.ts";

export interface OpenApiOptions {
  /** The base address of the API, `/api/v1` included. */
  serverUrl: string;
  /** The version of the program. */
  version: string;
}

type Json = Record<string, unknown>;

/** The whole document as a plain object, fresh on every call. */
export function openApiDocument({ serverUrl, version }: OpenApiOptions): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Frontdesk API",
      version,
      summary: "Live chat and customer support.",
      description: INTRODUCTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl, description: "This service" }],
    security: [{ ApiKey: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: paths(Object.values(rest)),
    webhooks: Object.fromEntries(eventNames.map((name) => [name, { post: webhook(name) }])),
    components: {
      securitySchemes: {
        ApiKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-KEY",
          description:
            "A key from Settings, Developer Tools, API Keys. Never put it in a web page or a public repository.",
        },
      },
      schemas: componentSchemas(),
      parameters: {
        IdempotencyKey: {
          name: IDEMPOTENCY_KEY,
          in: "header",
          required: false,
          description: IDEMPOTENCY_KEY_DESCRIPTION,
          schema: reference(IdempotencyKey),
          example: "order-1042-reply",
        },
        ...deliveryHeaders(),
      },
      headers,
      responses: componentResponses(),
    },
  };
}

const INTRODUCTION = `Read and write widgets, contacts, conversations, messages and agents, fill the knowledge base, subscribe to events, and connect assistants.

Every request needs the \`X-API-KEY\` header. Bodies are JSON. Wrong types are never converted, and unknown fields are ignored. Each key can make 60 requests per minute unless the operator allows more.

IDs that are malformed, unknown or belong to another team get the same response.`;

const tags: Record<Tag, string> = {
  Agents: "Members of your team.",
  AI: "The built-in AI that answers visitors: its model, its rules and its limits.",
  Assistants: "Connections for AI assistants, with their permissions, access and call log.",
  Channels: "Mailboxes that conversations are received by and replies sent through.",
  Contacts: "People who visit and write, and what you know about them. Webhooks call them visitors, with the same IDs.",
  Conversations: "Conversations between a contact and the team, open or resolved, with their tags and assigned agents.",
  "Knowledge base": "Questions and answers that assistants look up.",
  Messages: "Replies and internal notes.",
  Privacy: "Erasing people and what they wrote, and keeping them from being erased.",
  Webhooks: "Events sent to your own endpoint, so you don't need to poll.",
  Widgets: "The chat widgets on your websites.",
};

/** The named schemas; every place that holds the same schema refers to it. */
const named: Record<string, TSchema> = {
  Widget,
  WholeWidget,
  WidgetWithIdentitySecret,
  WidgetSettings,
  Contact,
  ListedContact,
  PageVisit,
  Conversation,
  ListedConversation,
  Message,
  VisitorMessage,
  ListedMessage,
  AttachmentInput,
  UploadedFile,
  Agent,
  Webhook,
  CreatedWebhook,
  EventDescriptor,
  Assistant,
  CreatedAssistant,
  AssistantPermissionDescriptor,
  AssistantCall,
  QueuedChange,
  Article,
  TeamTag,
  CustomField,
  CustomDatum,
  Assignment,
  Pagination,
  Links,
  Error: ErrorBody,
  ValidationError: ValidationErrorBody,
  Visitor,
  ActedBy,
  EventAgent,
  EventAgentWithEmail,
  EventAttachment,
  EventConversation,
  CreatedConversation,
  ResolvedConversation,
  EventMessage,
  ...Object.fromEntries(
    Object.values<RestOperation>(rest).flatMap((operation) =>
      operation.body === undefined ? [] : [[`${capitalized(operation.id)}Request`, operation.body]],
    ),
  ),
  ...Object.fromEntries(eventNames.map((name) => [`${pascal(name)}Data`, events[name].data])),
};

/** TypeBox copies a schema when it becomes optional, so the same schema is found again by its text, not by identity. */
const nameByText = new Map(Object.entries(named).map(([name, schema]) => [JSON.stringify(schema), name]));

function componentSchemas(): Json {
  return Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, withReferences(schema, true)]));
}

/** A plain copy of a schema in which every named schema is a reference. */
function reference(schema: unknown): unknown {
  return withReferences(schema, false);
}

function withReferences(value: unknown, isDefinition: boolean): unknown {
  if (Array.isArray(value)) return value.map(reference);
  if (typeof value !== "object" || value === null) return value;
  const name = nameByText.get(JSON.stringify(value));
  if (name !== undefined && !isDefinition) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, reference(inner)]));
}

// Operations

function paths(operations: readonly RestOperation[]): Json {
  const byPath: Record<string, Json> = {};
  for (const operation of operations) {
    byPath[operation.path] = {
      ...byPath[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation),
    };
  }
  return byPath;
}

function operationObject(operation: RestOperation): Json {
  const { id, tag, summary, description, body, content, example } = operation;
  const parameters = [
    ...parametersOf("path", operation.params, example.params),
    ...parametersOf("query", operation.query, example.query),
    ...(operation.retrySafe ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}\n\n${scopeSentence(scopesNeeded(operation))}`,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: reference(body), examples: { example: { value: example.body } } } },
      },
    }),
    ...(content !== undefined && {
      requestBody: {
        required: true,
        description: "The content of the file.",
        // Of any type: the service detects the type.
        content: { "*/*": { schema: { type: "string", format: "binary" } } },
      },
    }),
    responses: { ...successResponse(operation), ...errorResponses(operation) },
  };
}

/** The scopes a key needs for every request of an operation, the one that names it first. */
export function scopesNeeded({ performs, id }: RestOperation): readonly ApiKeyScope[] {
  const scopes = scopesFor(performs);
  if (scopes === undefined) throw new Error(`no API key may ${performs}, but ${id} offers it`);
  return scopes;
}

/** Which scopes a key needs, as a sentence in Markdown. */
export function scopeSentence([scope, ...besides]: readonly ApiKeyScope[]): string {
  const marked = besides.map((name) => `\`${name}\``);
  const last = marked.pop();
  const and = last ? `, and with ${marked.length > 0 ? `${marked.join(", ")} and ${last}` : last}` : "";
  return `Needs a key with the scope \`${scope}\`${and}.`;
}

/** Which scope a key needs for an event, as a sentence in Markdown. */
export const eventAccess = (name: EventName): string =>
  `A key needs the scope \`${eventScope(name)}\` to subscribe to it, and to read or resend its deliveries.`;

function parametersOf(
  place: "path" | "query" | "header",
  schema: TObject | undefined,
  example: object | undefined,
): Json[] {
  if (schema === undefined) return [];
  const required: readonly string[] = schema.required ?? [];
  const values = new Map<string, unknown>(Object.entries(example ?? {}));
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...rest } = property as TSchema & { description?: string };
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: reference(rest),
      ...(values.has(name) && { example: values.get(name) }),
    };
  });
}

function successResponse(operation: RestOperation): Json {
  const status = successStatus(operation);
  const answer = operation.responses[status];
  if (answer === undefined) throw new Error(`${operation.id} has no success answer`);
  return {
    [status]: {
      description: answer.description,
      headers: headerReferences(everyAnswer),
      content: {
        [answer.mediaType ?? "application/json"]: {
          schema: answer.mediaType === undefined ? reference(answer.body) : { type: "string", format: "binary" },
          examples: { example: { value: operation.example.response } },
        },
      },
    },
  };
}

/** The statuses that any operation may answer. */
const COMMON_ERRORS = [400, 401, 403, 429, 500, 503];
/** Those of an operation with a body. */
const BODY_ERRORS = [413, 415];

/** Every error status that an operation may answer, ascending. */
export function errorStatuses(operation: RestOperation): number[] {
  return [
    ...new Set([
      ...COMMON_ERRORS,
      ...(operation.body === undefined ? [] : BODY_ERRORS),
      ...(operation.retrySafe ? [422] : []),
      ...operation.errors,
    ]),
  ].sort((a, b) => a - b);
}

function errorResponses(operation: RestOperation): Json {
  return Object.fromEntries(
    errorStatuses(operation).map((status) => {
      const answer = errorAnswers[status];
      if (answer === undefined) throw new Error(`${operation.id} answers ${status}, which has no description`);
      return [status, { $ref: `#/components/responses/${answer.name}` }];
    }),
  );
}

// Answers that many operations share

const headers = {
  "X-Request-Id": { description: "The ID of this request in the server log.", schema: { type: "string" } },
  "X-RateLimit-Limit": { description: "Requests per minute allowed for this key.", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Requests remaining right now.", schema: { type: "integer" } },
  "X-RateLimit-Reset": {
    description: "Seconds until the full limit is available again.",
    schema: { type: "integer" },
  },
  "Retry-After": { description: "Seconds to wait before trying again.", schema: { type: "integer", minimum: 1 } },
};

const everyAnswer = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

interface ErrorAnswer {
  readonly name: string;
  readonly description: string;
  readonly example: { readonly message: string; readonly errors?: Readonly<Record<string, readonly string[]>> };
  readonly retryAfter?: true;
  /** The limit is counted by key, so an answer without a known key cannot state it. */
  readonly beforeLimit?: true;
}

const errorAnswers: Record<number, ErrorAnswer> = {
  400: {
    name: "Unreadable",
    description: "The body is not valid JSON or not valid UTF-8.",
    example: { message: reasonText["http.unreadable"] },
  },
  401: {
    name: "NotAuthenticated",
    description: "The API key is missing or invalid.",
    example: { message: reasonText["not-authenticated"] },
    beforeLimit: true,
  },
  403: {
    name: "NotAllowed",
    description:
      "The key is valid, but the team's API access is off, the key lacks a scope, or its agent is deactivated or no longer has permission. Also returned for an unknown agent or webhook.",
    example: { message: reasonText["not-allowed"] },
  },
  404: {
    name: "NotFound",
    description: "It does not exist, or it belongs to another team.",
    example: { message: reasonText["not-found.conversation"] },
  },
  409: {
    name: "Conflict",
    description: "Something prevents it at present. Nothing was changed.",
    example: { message: "This contact is on hold: Court case 12/26" },
  },
  413: {
    name: "TooLarge",
    description: "The body is over 1 MiB, or a file is larger than the operator allows.",
    example: { message: reasonText["http.body-too-large"] },
  },
  415: {
    name: "NotJson",
    description: "The body is not `application/json`.",
    example: { message: reasonText["http.not-json"] },
  },
  422: {
    name: "Invalid",
    description: "Some fields are invalid. Nothing was changed.",
    example: {
      message: reasonText.invalid,
      errors: { phone: ["Must be 7 to 15 digits with an optional leading +."] },
    },
  },
  429: {
    name: "RateLimited",
    description: "Too many requests with this key, or too many without a valid key from this address.",
    example: { message: reasonText["rate-limited"] },
    retryAfter: true,
  },
  500: { name: "Fault", description: "A bug in the service.", example: { message: reasonText["http.fault"] } },
  503: {
    name: "Unavailable",
    description: "The storage is currently unreachable.",
    example: { message: reasonText.unavailable },
    retryAfter: true,
  },
};

function componentResponses(): Json {
  return Object.fromEntries(
    Object.values(errorAnswers).map((answer) => [
      answer.name,
      {
        description: answer.description,
        headers: headerReferences([
          ...(answer.beforeLimit ? ["X-Request-Id"] : everyAnswer),
          ...(answer.retryAfter ? ["Retry-After"] : []),
        ]),
        content: {
          "application/json": {
            schema: reference(answer.example.errors === undefined ? ErrorBody : ValidationErrorBody),
            examples: { example: { value: answer.example } },
          },
        },
      },
    ]),
  );
}

function headerReferences(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

// Webhooks

function webhook(name: EventName): Json {
  const { label, description } = events[name];
  return {
    operationId: `on${pascal(name)}`,
    tags: ["Webhooks" satisfies Tag],
    summary: label,
    description: `${description} Sent to every active subscription that names \`${name}\`. ${eventAccess(name)}`,
    security: [],
    parameters: Object.keys(deliveryHeaders()).map((key) => ({ $ref: `#/components/parameters/${key}` })),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: reference(deliverySchema(name)),
          examples: { example: { value: deliveryExample(name) } },
        },
      },
    },
    responses: {
      "2XX": { description: "Received. Respond within 4 seconds. The body is ignored." },
      "4XX": { description: "Rejected. Not retried, except after 408, 425 and 429." },
      "5XX": { description: "Not received. Retried after 1, 5 and 15 minutes, with 4 attempts in total." },
    },
  };
}

/** The delivery headers as reusable parameters, by component name. */
function deliveryHeaders(): Record<string, Json> {
  return Object.fromEntries(
    parametersOf("header", DeliveryHeaders, undefined).map((parameter) => [
      String(parameter.name).replaceAll("-", ""),
      parameter,
    ]),
  );
}

// Names

/** `message.received` to `MessageReceived`. */
function pascal(name: string): string {
  return name.split(".").map(capitalized).join("");
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
