/** The people and data of `examples.ts` as tools answer them. */
import { answer, ids, moments, question, visitedPage } from "./examples.ts";

export const vera = { id: ids.vera, name: "Vera", email: "vera@example.com" };
export const ada = { id: ids.ada, name: "Ada", email: "ada@acme.example" };

export const listedConversation = {
  id: ids.conversation,
  contact: vera,
  last_message: {
    id: ids.reply,
    content: answer,
    type: "message",
    origin: "chat",
    sender_type: "agent",
    created_at: moments.answered,
  },
  widget_id: ids.widget,
  origin: "chat",
  origin_url: visitedPage,
  email_subject: null,
  is_resolved: false,
  resolved_at: null,
  ended_at: null,
  created_at: moments.wrote,
  updated_at: moments.answered,
};

export const foundConversation = {
  id: ids.conversation,
  email_subject: null,
  origin: "chat",
  is_resolved: false,
  contact: vera,
};

export const writtenMessage = {
  id: ids.message,
  conversation_id: ids.conversation,
  sort_number: 1,
  sender: { type: "visitor", ...vera },
  origin: "chat",
  type: "message",
  content: question,
  urls: [],
  parent_id: null,
  is_system_message: false,
  edited_at: null,
  created_at: moments.wrote,
  updated_at: moments.wrote,
};

/** The other details of Vera. */
export const whereabouts = {
  phone: "+4915112345678",
  country: "Germany",
  language: "de",
  timezone: "Europe/Berlin",
};

export const visitor = {
  ...vera,
  ...whereabouts,
  widget_id: ids.widget,
  created_at: moments.arrived,
};

export const exampleToken = "example-confirmation-token";
export const tag = { id: ids.tag, name: "Shipping", color: "#0a7d55" };
