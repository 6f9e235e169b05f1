/**
 * The types in which the demo's conversations are written (`conversations/`). Later features of conversations are added to
 * `Thread` or become a `Step`, and `make-demo.ts` performs them.
 */
import type { WidgetLanguage } from "@frontdesk/core/domain/widget-settings";

/** The agents of the demo shop. */
export type AgentName = "ada" | "grace" | "lin" | "omar";

/** The tags of the demo shop; `make-demo.ts` has the colors. */
export type TagName =
  | "Shipping"
  | "Returns"
  | "Damaged"
  | "Sizing"
  | "Billing"
  | "Large order"
  | "Complaint"
  | "Follow up";

/** The custom data that the demo shop has of its visitors. */
export type FieldName = "Order number" | "Customer type" | "Size";

/** One visitor and the whole conversation with the shop. */
export interface Thread {
  visitor: Visitor;
  start: Start;
  /** The pages they visited before they wrote, as paths in the shop; the last one a minute before. */
  pages: readonly string[];
  script: readonly Step[];
}

export interface Visitor {
  /** Undefined: they have not given it. */
  name?: string;
  /** Under example.com, example.org or .test, which are reserved. */
  email?: string;
  /** A number reserved for fiction by the authority of its country. */
  phone?: string;
  /** Their number at the shop, which vouches for them: they are signed in there. */
  customer?: string;
  from: Place;
}

export interface Place {
  timezone: string;
  /** Of the chat. */
  language: WidgetLanguage;
}

/** This many days before the end, at this time of day (UTC); or this many minutes before the end. */
export type Start = { daysAgo: number; at: `${number}:${number}` } | { minutesAgo: number };

export type Step =
  | { does: "write"; text: string }
  | { does: "reply" | "note"; agent: AgentName; text: string; files: readonly string[] }
  | { does: "resolve" | "reopen"; agent: AgentName }
  /** An agent assigns the conversation, mostly to themselves. */
  | { does: "assign"; agent: AgentName; to: AgentName }
  | { does: "tag" | "untag"; agent: AgentName; tag: TagName }
  /** An agent stores what they have learned about the visitor. */
  | { does: "learn"; agent: AgentName; name: FieldName; value: string }
  /** The visitor rates it, from 1 to 5. */
  | { does: "rate"; rating: number; comment: string | undefined }
  /** An agent takes away the text of what the visitor has just written. */
  | { does: "redact"; agent: AgentName; reason: string }
  /** An agent keeps the visitor from being erased. */
  | { does: "hold"; agent: AgentName; reason: string }
  /** The visitor's details were wrong. */
  | { does: "correct"; change: { name?: string; email?: string; phone?: string } }
  /** The built-in AI answers, by an article with this question. */
  | { does: "ai-answer"; text: string; article: string }
  /** It calls a person because the visitor has asked for one. */
  | { does: "ai-hand-over" }
  /** It resolves because the visitor says that an answer helped, or because of their silence. */
  | { does: "ai-resolve"; outcome: "confirmed" | "assumed" }
  /** Longer than the usual minutes between two steps. */
  | { does: "wait"; minutes: number };

export const thread = (visitor: Visitor, start: Start, pages: readonly string[], script: readonly Step[]): Thread => ({
  visitor,
  start,
  pages,
  script,
});

export const on = (daysAgo: number, at: `${number}:${number}`): Start => ({ daysAgo, at });
export const minutesAgo = (minutes: number): Start => ({ minutesAgo: minutes });

/** The visitor writes. */
export const v = (text: string): Step => ({ does: "write", text });
/** An agent replies; `files` are paths in the shop. */
const reply =
  (agent: AgentName) =>
  (text: string, ...files: string[]): Step => ({ does: "reply", agent, text, files });
export const ada = reply("ada");
export const grace = reply("grace");
export const lin = reply("lin");
export const omar = reply("omar");
/** An agent writes a note that the visitor does not see. */
export const note = (agent: AgentName, text: string): Step => ({ does: "note", agent, text, files: [] });
export const robin = (text: string, article: string): Step => ({ does: "ai-answer", text, article });
export const handedOver: Step = { does: "ai-hand-over" };
export const helped: Step = { does: "ai-resolve", outcome: "confirmed" };
export const silent: Step = { does: "ai-resolve", outcome: "assumed" };
export const resolved = (agent: AgentName): Step => ({ does: "resolve", agent });
export const rated = (rating: number, comment?: string): Step => ({ does: "rate", rating, comment });
export const reopened = (agent: AgentName): Step => ({ does: "reopen", agent });
export const assigned = (agent: AgentName, to: AgentName = agent): Step => ({ does: "assign", agent, to });
export const tagged = (agent: AgentName, tag: TagName): Step => ({ does: "tag", agent, tag });
export const untagged = (agent: AgentName, tag: TagName): Step => ({ does: "untag", agent, tag });
export const redacted = (agent: AgentName, reason: string): Step => ({ does: "redact", agent, reason });
export const held = (agent: AgentName, reason: string): Step => ({ does: "hold", agent, reason });
export const learned = (agent: AgentName, name: FieldName, value: string): Step => ({
  does: "learn",
  agent,
  name,
  value,
});
export const corrected = (change: { name?: string; email?: string; phone?: string }): Step => ({
  does: "correct",
  change,
});
export const hours = (count: number): Step => ({ does: "wait", minutes: count * 60 });
export const days = (count: number): Step => ({ does: "wait", minutes: count * 24 * 60 });
