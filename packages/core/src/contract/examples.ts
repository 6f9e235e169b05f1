/**
 * The people and data of every example: Vera, who visits the website of Acme, and Ada, who owns the team.
 * Each example is checked against its schema by a test, so the reference pages never show what the service would not answer.
 */

import { defaultWidgetSettings } from "../domain/widget-settings.ts";

export const ids = {
  team: "01980c5e-6f00-7a10-8c11-0a4b6c2d9e01",
  widget: "01980c5e-6f2b-7c44-9d02-51f7c08a3b02",
  vera: "01980c61-13aa-7e02-b3f5-27d9a6c41e03",
  conversation: "01980c61-1c07-7b90-a1d4-93e2f5087c04",
  message: "01980c61-1c0c-7d31-8e6f-b0275ac94d05",
  reply: "01980c62-9b41-7f58-92aa-6d3e81f0c206",
  ada: "01980c5e-6f11-7012-a0b7-e4d5c9f81307",
  webhook: "01980c60-5d70-7ac9-b8e3-1f602d7e9a08",
  automation: "01980c60-8e13-7b26-9f40-c5a1d83b7e09",
  tag: "01980c60-a4c2-7d61-8b07-3e92f6d15a0a",
  customField: "01980c60-b7d5-7e3c-a218-60c4f9e81b0b",
  article: "01980c60-c9e8-7f14-9c35-82d7a0b63e0c",
  otherConversation: "01980c63-2f74-7a58-b6d9-14e8c7530a0d",
  assistant: "01980c60-d1f3-7b62-8e49-a7c2059d640e",
  toolCall: "01980c63-4b90-7c15-a3f8-5d61e0b9720f",
  queuedChange: "01980c63-4b92-7d83-9a06-c84f17e35b10",
  file: "01980c62-9b0c-7e21-8d47-f3a1b6c50d11",
  channel: "01980c60-e3b4-7a96-8d21-4f7c05a9e213",
  export: "01980c64-2d15-7f36-9b48-e60c7a93d112",
  erasure: "01980c64-7e15-7a42-b0c9-3f86d52e91a7",
  aiAgent: "01980c60-f0a6-7c31-9e57-b28d40c6f115",
  aiRun: "01980c62-9b3e-7c80-a5d1-4e92b7f06116",
} as const;

export const moments = {
  widgetMade: "2026-09-01T08:00:00.000Z",
  arrived: "2026-09-14T09:26:40.123Z",
  wrote: "2026-09-14T09:26:52.500Z",
  answered: "2026-09-14T09:28:31.007Z",
  resolved: "2026-09-14T09:41:12.000Z",
} as const;

const page = "https://www.acme.example/pricing";

export const widget = { type: "widget", id: ids.widget, attributes: { name: "Website", icon: null } };

export const wholeWidget = {
  ...widget,
  attributes: {
    ...widget.attributes,
    settings: {
      ...defaultWidgetSettings,
      color: "#0f766e",
      greetings: { en: { title: "Ask the gardeners", text: "We know our soil." } },
      page_fields: ["plan"],
    },
    identity_secret_made_at: null,
    first_seen_at: moments.widgetMade,
    last_seen_at: moments.wrote,
    seen_on: new URL(page).origin,
    created_at: moments.widgetMade,
  },
};

export const vera = {
  type: "chat-contacts",
  id: ids.vera,
  attributes: {
    widget_name: "Website",
    widget_id: ids.widget,
    team_id: ids.team,
    name: "Vera",
    email: "vera@example.com",
    phone: "+4915112345678",
    country_dialing_code: "+49",
    bgcolor: "#2f6f5e",
    location: "Leipzig",
    browser_type: "Firefox",
    country_code: "DE",
    country: "Germany",
    country_flag: null,
    country_emoji: "🇩🇪",
    page_visited: [{ page, date: moments.arrived }],
    online_status: "online",
    last_active_at: moments.wrote,
    blocked_at: null,
    is_name_updated: false,
    created_at: moments.arrived,
    verified_id: null,
    verified_email: null,
    timezone: "Europe/Berlin",
    language: "de",
    ip: "203.0.113.7",
    operating_system: "Linux",
  },
};

export const ada = {
  type: "agent-user",
  id: ids.ada,
  attributes: {
    email: "ada@acme.example",
    name: "Ada",
    status: "active",
    online_status: "online",
    profile_photo_url: null,
    resized_profile_photo_url: null,
    role: "CHAT_AGENT_OWNER",
  },
};

export const question = "Do you ship to Portugal?";
export const answer = "We do, Vera. It takes three days.";
export const invoice = {
  url: "https://files.acme.example/shipping.pdf",
  name: "shipping.pdf",
  type: "file",
  mime: "application/pdf",
  size: 48211,
};

export const uploadedFile = {
  type: "file",
  id: ids.file,
  attributes: {
    url: `https://chat.acme.example/files/fd_file_YourFilesSecretStandsHere/${invoice.name}`,
    name: invoice.name,
    mime: invoice.mime,
    size: invoice.size,
  },
};

export const subscription = {
  name: "Order system",
  endpoint_url: "https://hooks.acme.example/frontdesk",
  is_active: true,
  events: ["message.received", "conversation.resolved"],
};

export const webhook = {
  type: "webhook",
  id: ids.webhook,
  attributes: [{ ...subscription, created_at: moments.widgetMade, updated_at: moments.widgetMade }],
};

const attempt = {
  id: "del_01980c611c1174c2a0d34b5c6d7e8f90",
  attempt: 1,
  endpoint_url: subscription.endpoint_url,
  started_at: moments.wrote,
  duration_ms: 84,
  outcome: "delivered",
  error: null,
  status: 200,
};

const sent = {
  event: "message.received",
  state: "delivered",
  attempt: 1,
  max_attempts: 4,
  next_attempt_at: null,
  created_at: moments.wrote,
  ended_at: moments.wrote,
};

export const delivery = {
  type: "webhook-delivery",
  id: "evt_01980c611c0e7a558b9de04f6a27c30a",
  attributes: { ...sent, last_attempt: attempt },
};

export const deliveryWithAttempts = {
  ...delivery,
  attributes: {
    ...sent,
    attempts: [
      {
        ...attempt,
        request: {
          headers: {
            "Content-Type": "application/json",
            "X-Service-Event": "message.received",
            "X-Service-Delivery-Id": attempt.id,
            "X-Service-Delivery-Attempt": "1",
          },
          body: '{"id":"evt_01980c611c0e7a558b9de04f6a27c30a","event":"message.received"}',
        },
        response: { headers: { "content-type": "text/plain" }, body: "ok" },
      },
    ],
  },
};

/** What is granted to the assistant of the examples. */
export const grant = {
  name: "Night shift",
  permissions: ["read_conversations", "read_conversation_messages", "search_knowledge_base", "send_replies"],
  widgets: [ids.widget],
  channels: [],
  agent_id: ids.ada,
};

export const assistant = {
  type: "assistant",
  id: ids.assistant,
  attributes: {
    ...grant,
    state: "active",
    is_live: true,
    token_ending: "x7Qa",
    created_by: ids.ada,
    created_at: moments.widgetMade,
    updated_at: moments.widgetMade,
    last_used_at: moments.answered,
    app: null,
  },
};

export const assistantCall = {
  type: "tool-call",
  id: ids.toolCall,
  attributes: {
    tool: "send-message",
    arguments: { conversation_id: ids.conversation, content: answer },
    outcome: "done",
    message: null,
    duration_ms: 6,
    called_at: moments.answered,
  },
};

export const queuedChange = {
  type: "queued-change",
  id: ids.queuedChange,
  attributes: {
    conversation_id: ids.conversation,
    operation: "resolve-conversation",
    agent_id: null,
    state: "done",
    message: null,
    queued_at: moments.answered,
    ended_at: moments.resolved,
  },
};

export const channel = {
  type: "channels",
  id: ids.channel,
  attributes: {
    channel: "email",
    name: "Support",
    widget_id: ids.widget,
    state: "active",
    state_reason: null,
    address: "support@acme.example",
    callback_url: null,
    settings: {
      address: "support@acme.example",
      display_name: null,
      inbound: {
        kind: "imap",
        host: "imap.acme.example",
        port: 993,
        security: "tls",
        username: "support@acme.example",
        password_set: true,
        folder: "INBOX",
        after_import: "leave",
        sent_folder: true,
      },
      outbound: null,
      plus_addressing: true,
      hold_seconds: 10,
      pace: 30,
      reopen_days: null,
      authserv_id: null,
    },
    last_received_at: null,
    last_sent_at: null,
    created_at: moments.widgetMade,
  },
};

export const channelFindings = [
  { check: "imap-connection", ok: true, message: "imap.acme.example accepts connections." },
  {
    check: "imap-sign-in",
    ok: false,
    message: "imap.acme.example does not accept the user name and password. Check both, or create an app password.",
  },
];

/** An article that Ada wrote, so that nobody has to answer the question again. */
export const articleText = {
  question: "Do you ship to Portugal?",
  answer: "We do, to the mainland, Madeira and the Azores. It takes three days.",
};

export const article = {
  type: "article",
  id: ids.article,
  attributes: {
    ...articleText,
    is_published: true,
    created_by: ids.ada,
    created_at: moments.widgetMade,
    updated_at: moments.widgetMade,
  },
};

export const tag = { type: "tag", id: ids.tag, attributes: { name: "shipping", color: "#2f6f5e" } };

export const customField = { type: "custom-field", id: ids.customField, attributes: { name: "plan" } };

export const customData = {
  type: "custom-data",
  id: ids.customField,
  attributes: { name: "plan", value: "Business", updated_at: moments.answered },
};

export const assignment = {
  type: "assignment",
  id: ids.ada,
  attributes: { conversation_id: ids.conversation, agent: { id: ids.ada, name: "Ada" } },
};

/** A list answer with one resource. */
export function listOfOne(path: string, item: object, perPage: number) {
  const address = (query: string) => `https://chat.acme.example/api/v1${path}?${query}`;
  const first = address(`limit=${perPage}&page=1`);
  return {
    data: [item],
    meta: { pagination: { total: 1, count: 1, per_page: perPage, current_page: 1, total_pages: 1 } },
    links: { self: first, first, last: first, next: null },
  };
}

/** The page Vera looks at, which is the `source` of what she writes (decision 45). */
export const visitedPage = page;
