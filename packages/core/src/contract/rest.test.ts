import { problemsOf } from "@frontdesk/testing/ajv";
import { describe, expect, test } from "vitest";
import { policy } from "../domain/policy.ts";
import { ids } from "./examples.ts";
import { type RestOperation, successStatus } from "./operation.ts";
import { contactFields, conversationDefaultFields, conversationFields, messageFields } from "./resources.ts";
import { rest } from "./rest.ts";

const operations: readonly RestOperation[] = Object.values(rest);

/** Without a field of their own, refused while the subscription is off, no new secret waits, the connection is revoked, or nothing failed. */
const refusesByState = new Set(
  "activateWebhookSecret replayWebhookDelivery pauseAssistant resumeAssistant sendMessageAgain suggestTags".split(" "),
);

describe("the REST catalogue", () => {
  test("holds each operation under its own id", () => {
    expect(Object.keys(rest)).toEqual(operations.map((operation) => operation.id));
  });

  test("gives each operation its own method and path", () => {
    const addresses = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{[^}]+\}/g, "{}")}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test("offers every address that the specification lists", () => {
    const addresses = operations.map(({ method, path }) => `${method} ${path}`);
    expect(addresses).toEqual(
      expect.arrayContaining([
        "GET /widgets",
        "GET /contacts",
        "GET /contacts/{id}",
        "PUT /contacts/{id}",
        "POST /contacts/initialize",
        "GET /conversations/all",
        "POST /conversations",
        "GET /conversations/{conversation_id}/messages",
        "POST /conversations/{conversation_id}/resolve",
        "POST /messages",
        "GET /agents",
        "GET /agents/{id}",
        "POST /agents/invite",
        "POST /webhooks",
        "GET /webhooks/{webhook}",
        "DELETE /webhooks/{webhook}",
        "GET /webhooks/events",
      ]),
    );
  });

  test("answers 201 where POST makes a widget, a conversation, a message, a file, a channel account, a webhook, an assistant or an article, 202 where it goes on after it, and 200 everywhere else", () => {
    const created = operations.filter((operation) => successStatus(operation) === 201);
    expect(created.map(({ id }) => id).join(" ")).toBe(
      "createWidget startMailConversation createMessage uploadFile createChannel createWebhook createAssistant createArticle",
    );
    const accepted = operations.filter((operation) => successStatus(operation) === 202);
    expect(accepted.map((operation) => operation.id)).toEqual([
      "removeWidget",
      "eraseContact",
      "eraseConversation",
      "exportContact",
    ]);
    expect(operations.every((operation) => [200, 201, 202].includes(successStatus(operation)))).toBe(true);
  });

  describe.each(operations.map((operation) => [operation.id, operation] as const))("%s", (_id, operation) => {
    test("needs a scope that an API key can carry", () => {
      expect(policy[operation.performs]).toHaveProperty("apiKey");
    });

    test("names the parameters of its path", () => {
      const inPath = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
      expect(Object.keys(operation.params?.properties ?? {})).toEqual(inPath);
    });

    test("has examples that satisfy its schemas", () => {
      const { params, query, body, responses, example } = operation;
      for (const [schema, value] of [
        [params, example.params],
        [query, example.query],
        [body, example.body],
        [responses[successStatus(operation)]?.body, example.response],
      ] as const) {
        expect(value === undefined || schema !== undefined).toBe(true);
        if (schema !== undefined) expect(problemsOf(schema, value ?? {})).toEqual([]);
      }
    });

    test("answers exactly the documented keys: its example holds none that the schema does not list", () => {
      const closed = closedCopy(operation.responses[successStatus(operation)]?.body);
      expect(problemsOf(closed, operation.example.response)).toEqual([]);
    });

    test("documents 422 where a field can be wrong", () => {
      const canBeWrong =
        operation.body !== undefined ||
        operation.query !== undefined ||
        operation.retrySafe ||
        operation.params?.properties.name !== undefined ||
        refusesByState.has(operation.id);
      expect(operation.errors.includes(422)).toBe(Boolean(canBeWrong));
    });

    test("takes any text as an id", () => {
      if (operation.params === undefined) return;
      const odd = Object.fromEntries(Object.keys(operation.params.properties).map((name) => [name, "not-an-id"]));
      expect(problemsOf(operation.params, odd)).toEqual([]);
    });

    test("ignores unknown fields of a request", () => {
      const { body, example } = operation;
      if (body !== undefined) expect(problemsOf(body, { ...example.body, team_id: ids.team })).toEqual([]);
    });
  });
});

describe("lists", () => {
  test.each([
    ["listWidgets", 20, 100],
    ["listContacts", 10, 100],
    ["listConversations", 10, 100],
    ["listMessages", 20, 20],
    ["listAgents", 20, 100],
    ["listWebhooks", 20, 100],
    ["listAssistants", 20, 100],
    ["listAssistantCalls", 20, 100],
    ["listAssistantQueuedChanges", 20, 100],
    ["listArticles", 20, 100],
    ["listTags", 20, 100],
    ["listCustomFields", 20, 100],
    ["listContactCustomData", 20, 100],
  ] as const)("%s answers %i by default and a limit above %i is a validation error", (id, usual, most) => {
    const { query } = rest[id];
    expect(query.properties.limit).toMatchObject({ default: usual, maximum: most });
    expect(query.properties.page).toMatchObject({ default: 1 });
    expect(problemsOf(query, { limit: most })).toEqual([]);
    expect(problemsOf(query, { limit: most + 1 })).toEqual(["/limit maximum"]);
    expect(problemsOf(query, { limit: 0 })).toEqual(["/limit minimum"]);
    expect(problemsOf(query, { page: 0 })).toEqual(["/page minimum"]);
    expect(problemsOf(query, { page: 1_000_000_000 })).toEqual([]);
    expect(problemsOf(query, { page: 1.5 })).toEqual(["/page type"]);
    expect(problemsOf(query, { limit: "5" })).toEqual(["/limit type"]);
  });

  test("the selectable contact fields are the contact attributes of the specification", () => {
    expect(contactFields).toEqual(
      (
        "widget_name widget_id team_id name email phone country_dialing_code bgcolor location browser_type country_code country " +
        "country_flag country_emoji page_visited online_status last_active_at blocked_at is_name_updated created_at verified_id " +
        "verified_email timezone language ip operating_system"
      ).split(" "),
    );
  });

  test("the selectable conversation and message fields are those of the specification", () => {
    expect([...conversationFields].sort()).toEqual(
      "agents contact_id contact_name created_at is_resolved latest_message unread_messages".split(" "),
    );
    expect([...messageFields].sort()).toEqual(
      "agent chat_contact_id contact content conversation_id created_at delivery email origin type".split(" "),
    );
    expect(conversationDefaultFields).toEqual(["is_resolved", "contact_id", "unread_messages", "created_at"]);
  });

  test.each([
    ["name", []],
    ["name,email", []],
    ["name,name", []],
    [contactFields.join(","), []],
    ["", ["/include_fields pattern"]],
    ["password", ["/include_fields pattern"]],
    ["name,", ["/include_fields pattern"]],
    ["name, email", ["/include_fields pattern"]],
    ["__proto__", ["/include_fields pattern"]],
    ["nameemail", ["/include_fields pattern"]],
  ])("an invalid name in include_fields is a validation error: %j", (value, problems) => {
    expect(problemsOf(rest.listContacts.query, { include_fields: value })).toEqual(problems);
  });

  test("a search of 255 characters is taken, one of 256 is not", () => {
    expect(problemsOf(rest.listContacts.query, { search: "s".repeat(255) })).toEqual([]);
    expect(problemsOf(rest.listContacts.query, { search: "s".repeat(256) })).toEqual(["/search maxLength"]);
  });
});

describe("sendVisitorMessage", () => {
  const { body } = rest.sendVisitorMessage;
  const said = { widget_id: "anything", content: "Hello" };

  test.each([
    ["1234567", true],
    ["123456", false],
    ["+123456789012345", true],
    ["+1234567890123456", false],
    ["++1234567", false],
    ["123 4567", false],
    ["123-4567", false],
    ["(123)4567", false],
    ["1234567\n", false],
    ["١٢٣٤٥٦٧", false],
    ["", false],
  ])("a phone has 7 to 15 digits with an optional leading +: %j", (phone, valid) => {
    expect(problemsOf(body, { ...said, phone })).toEqual(valid ? [] : ["/phone pattern"]);
  });

  test("content holds 1 to 10,000 characters, counted as characters and not as code units", () => {
    expect(problemsOf(body, { ...said, content: "" })).toEqual(["/content minLength"]);
    expect(problemsOf(body, { ...said, content: "c".repeat(10_000) })).toEqual([]);
    expect(problemsOf(body, { ...said, content: "🙂".repeat(10_000) })).toEqual([]);
    expect(problemsOf(body, { ...said, content: "c".repeat(10_001) })).toEqual(["/content maxLength"]);
  });

  test("widget_id and content are required", () => {
    expect(problemsOf(body, {})).toEqual(["/ required widget_id", "/ required content"]);
  });

  test("contact_id, name, email and phone may be null", () => {
    expect(problemsOf(body, { ...said, contact_id: null, name: null, email: null, phone: null })).toEqual([]);
  });

  test("a wrong type is never converted", () => {
    expect(problemsOf(body, { widget_id: 5, content: true, name: ["Vera"], email: 7 })).toEqual([
      "/widget_id type",
      "/content type",
      "/name type",
      "/email type",
    ]);
  });

  test.each([
    ["vera@example.com", true],
    ["vera+chat@mail.example.co.uk", true],
    ["vera", false],
    ["vera@", false],
    ["vera@localhost", false],
    ["vera @example.com", false],
  ])("an e-mail has the e-mail format: %j", (email, valid) => {
    expect(problemsOf(body, { ...said, email })).toEqual(valid ? [] : ["/email format"]);
  });
});

describe("createMessage", () => {
  const { body } = rest.createMessage;
  const said = { conversation_id: "anything", content: "Hello" };
  const file = { url: "https://files.acme.example/a.png" };

  test("type is message, note or null", () => {
    for (const type of ["message", "note", null]) expect(problemsOf(body, { ...said, type })).toEqual([]);
    for (const type of ["system", "reminder", ""]) expect(problemsOf(body, { ...said, type })).toEqual(["/type enum"]);
  });

  test("only conversation_id is required, and what may be null may be", () => {
    expect(problemsOf(body, {})).toEqual(["/ required conversation_id"]);
    const nothing = { content: null, widget_id: null, type: null, agent_id: null, attachments: null };
    expect(problemsOf(body, { ...said, ...nothing })).toEqual([]);
  });

  test("9 attachments are taken, 10 are not", () => {
    expect(problemsOf(body, { ...said, attachments: Array(9).fill(file) })).toEqual([]);
    expect(problemsOf(body, { ...said, attachments: Array(10).fill(file) })).toEqual(["/attachments maxItems"]);
  });

  test.each([
    ["http://files.acme.example/a b.png", false],
    ["http://files.acme.example/a.png", true],
    ["HTTPS://files.acme.example/ä.png?x=1#y", true],
    ["ftp://files.acme.example/a.png", false],
    ["javascript:alert(1)", false],
    ["data:text/html,x", false],
    ["https://", false],
    ["//files.acme.example/a.png", false],
    [`https://${"a".repeat(2040)}`, true],
    [`https://${"a".repeat(2041)}`, false],
  ])("an attachment has an http or https URL of at most 2048 characters: %.60s", (url, valid) => {
    const problems = problemsOf(body, { ...said, attachments: [{ url }] });
    expect(problems.length === 0).toBe(valid);
    expect(problems.every((problem) => problem.startsWith("/attachments/0/url "))).toBe(true);
  });

  test("the size of an attachment is a whole number of bytes or null", () => {
    for (const size of [0, 48_211, null]) {
      expect(problemsOf(body, { ...said, attachments: [{ ...file, size }] })).toEqual([]);
    }
    expect(problemsOf(body, { ...said, attachments: [{ ...file, size: -1 }] })).toEqual([
      "/attachments/0/size minimum",
    ]);
    expect(problemsOf(body, { ...said, attachments: [{ ...file, size: 1.5 }] })).toEqual(["/attachments/0/size type"]);
  });
});

describe("setConversationStatus", () => {
  test("status is resolved or unresolved, or open for unresolved; a missing or other one is a validation error", () => {
    const { body } = rest.setConversationStatus;
    for (const status of ["resolved", "unresolved", "open"]) expect(problemsOf(body, { status })).toEqual([]);
    expect(problemsOf(body, { status: "closed" })).toEqual(["/status enum"]);
    expect(problemsOf(body, { agent_id: "anyone" })).toEqual(["/ required status"]);
  });
});

describe("updateContact", () => {
  test("needs something to set, and takes no empty name", () => {
    const { body } = rest.updateContact;
    expect(problemsOf(body, {})).toEqual(["/ minProperties"]);
    expect(problemsOf(body, { name: "" })).toEqual(["/name minLength"]);
    expect(problemsOf(body, { name: "Vera" })).toEqual([]);
    expect(problemsOf(body, { phone: "12 34567", email: null })).toEqual(["/email type", "/phone pattern"]);
  });
});

describe("initializeContact", () => {
  const { body } = rest.initializeContact;

  test("widgetId is required and everything else optional", () => {
    expect(problemsOf(body, { widgetId: "anything" })).toEqual([]);
    expect(problemsOf(body, { widget_id: "anything" })).toEqual(["/ required widgetId"]);
  });

  test("a nested field that is wrong is named by its path", () => {
    expect(
      problemsOf(body, {
        widgetId: "w",
        message: { urls: ["nope"], content: 5 },
        page_visited: [{ page: "/", date: "yesterday" }],
      }),
    ).toEqual(["/message/urls/0 pattern", "/message/content type", "/page_visited/0/date format"]);
  });
});

describe("inviteAgents", () => {
  const { body } = rest.inviteAgents;

  test("takes people, or only their e-mail addresses", () => {
    expect(problemsOf(body, { agents: ["lin@acme.example", { email: "grace@acme.example" }] })).toEqual([]);
    expect(problemsOf(body, { agents: [] })).toEqual(["/agents minItems"]);
  });

  test("names the one field that is wrong", () => {
    expect(problemsOf(body, { agents: ["lin"] })).toEqual(["/agents/0 format"]);
    expect(problemsOf(body, { agents: [{ name: "Grace" }] })).toEqual(["/agents/0 required email"]);
    expect(problemsOf(body, { agents: [{ email: "lin" }] })).toEqual(["/agents/0/email format"]);
    expect(problemsOf(body, { agents: [7] })).toEqual(["/agents/0 type"]);
  });

  test("an owner cannot be made by invitation", () => {
    const agents = [{ email: "grace@acme.example", role: "CHAT_AGENT_OWNER" }];
    expect(problemsOf(body, { agents })).toEqual(["/agents/0/role enum"]);
  });
});

describe("createWebhook", () => {
  const { body } = rest.createWebhook;
  const wanted = { endpoint_url: "https://hooks.acme.example/a", events: ["message.received"] };

  test("endpoint_url and events are required", () => {
    expect(problemsOf(body, {})).toEqual(["/ required endpoint_url", "/ required events"]);
  });

  test("events holds one or more known names, and repeats are no error", () => {
    expect(problemsOf(body, { ...wanted, events: ["tag.assigned", "tag.assigned"] })).toEqual([]);
    expect(problemsOf(body, { ...wanted, events: [] })).toEqual(["/events minItems"]);
    expect(problemsOf(body, { ...wanted, events: ["message.received", "message.eaten"] })).toEqual(["/events/1 enum"]);
  });

  test.each([
    ["https://hooks.acme.example", true],
    ["HTTPS://hooks.acme.example:8443/a/b?c=d@e", true],
    ["https://127.0.0.1/a", true],
    ["https://[::1]:8443/a", true],
    ["http://hooks.acme.example/a", false],
    ["https://ada:secret@hooks.acme.example/a", false],
    ["https://ada@hooks.acme.example", false],
    ["https://hooks.acme.example\\@evil.example/a", false],
    ["https://hooks.acme.example/a\tb", false],
    ["https://hooks.acme.example/a\u0001", false],
    ["https://hooks.acme.example/a\n", false],
    [" https://hooks.acme.example/a", false],
    ["https://", false],
    ["https:///a", false],
    ["hooks.acme.example/a", false],
    [`https://a.example/${"a".repeat(2030)}`, true],
    [`https://a.example/${"a".repeat(2031)}`, false],
  ])("an endpoint is an https URL without userinfo and control characters: %.60j", (endpoint_url, valid) => {
    expect(problemsOf(body, { ...wanted, endpoint_url }).length === 0).toBe(valid);
  });
});

describe("updateWebhook", () => {
  test("takes any part of the subscription, but not nothing", () => {
    const { body } = rest.updateWebhook;
    expect(problemsOf(body, { is_active: false })).toEqual([]);
    expect(problemsOf(body, { name: "Orders" })).toEqual([]);
    expect(problemsOf(body, {})).toEqual(["/ minProperties"]);
    expect(problemsOf(body, { is_active: "no" })).toEqual(["/is_active type"]);
  });
});

describe("createAssistant", () => {
  const { body } = rest.createAssistant;
  const wanted = { name: "Robin", permissions: "all", widgets: "all" };

  test("name, permissions and widgets are required", () => {
    expect(problemsOf(body, {})).toEqual(["/ required name", "/ required permissions", "/ required widgets"]);
    expect(problemsOf(body, wanted)).toEqual([]);
    expect(problemsOf(body, { ...wanted, channels: "all", agent_id: null })).toEqual([]);
  });

  test("what is granted is all, or a list of names; repeats are no error, and nothing is a grant too", () => {
    expect(problemsOf(body, { ...wanted, permissions: ["add_tags", "add_tags"], channels: ["email"] })).toEqual([]);
    expect(problemsOf(body, { ...wanted, permissions: [], widgets: [], channels: [] })).toEqual([]);
    for (const [field, value, problem] of [
      ["permissions", "every", "/permissions pattern"],
      ["permissions", "all ", "/permissions pattern"],
      ["permissions", ["add_tags", "fly"], "/permissions/1 enum"],
      ["permissions", null, "/permissions type"],
      ["permissions", { 0: "add_tags" }, "/permissions type"],
      ["widgets", [7], "/widgets/0 type"],
      ["widgets", Array(101).fill("w"), "/widgets maxItems"],
      ["channels", ["website"], "/channels/0 enum"],
      ["name", "", "/name minLength"],
    ] as const) {
      expect(problemsOf(body, { ...wanted, [field]: value })).toEqual([problem]);
    }
  });
});

describe("updateAssistant", () => {
  test("takes any part of the grant, but not nothing", () => {
    const { body } = rest.updateAssistant;
    for (const part of [{ name: "Robin" }, { permissions: [] }, { widgets: "all" }, { agent_id: null }]) {
      expect(problemsOf(body, part)).toEqual([]);
    }
    expect(problemsOf(body, {})).toEqual(["/ minProperties"]);
    expect(problemsOf(body, { name: null })).toEqual(["/name type"]);
  });
});

/** The same schema, refusing keys that it does not list. */
function closedCopy(value: unknown): object {
  return JSON.parse(JSON.stringify(value), (_key, inner) =>
    inner !== null && typeof inner === "object" && "properties" in inner && "type" in inner
      ? { ...inner, additionalProperties: false }
      : inner,
  );
}
