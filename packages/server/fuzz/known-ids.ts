/** Ids that earlier answers have shown, so that later requests reach deep. */
import type { IdKind } from "./value-arbitraries.ts";

/** The newest so many of each kind are kept: things that much was done to, and new ones. */
const KEPT = 200;
const NOBODY = "01980c61-13aa-7e02-b3f5-27d9a6c41e03";

const kindByType: Record<string, IdKind> = {
  widget: "widget",
  channels: "channel",
  "chat-contacts": "contact",
  conversations: "conversation",
  "agent-user": "agent",
  webhook: "webhook",
  "webhook-delivery": "delivery",
  assistant: "assistant",
  article: "article",
  messages: "message",
  erasures: "erasure",
  "ai-runs": "run",
  exports: "export",
};

export interface KnownIds {
  /** Puts real ids in place of the placeholders in a text. */
  fill(text: string): string;
  /** The subscription that a delivery is of, if it is known. */
  webhookOf(delivery: string): string | undefined;
  /** What was put below a conversation or a contact, as it is taken away: the path's parameters. Told once. */
  putBelow(path: string): Record<string, string> | undefined;
  /** Takes note of what an answer shows, and of the address that was asked. */
  learn(body: unknown, target: string): void;
  /** Forgets what is gone, by the address it had. */
  forget(target: string): void;
}

/** @param first ids that are known from the start */
export function knownIds(first: Partial<Record<IdKind, string>>): KnownIds {
  const known = new Map<IdKind, string[]>(Object.entries(first).map(([kind, id]) => [kind as IdKind, [id]]));

  const webhooks = new Map<string, string>();
  const put = new Map<string, Record<string, string>[]>();

  const add = (kind: IdKind, id: unknown) => {
    const ids = known.get(kind) ?? [];
    known.set(kind, ids);
    if (typeof id !== "string" || ids.includes(id)) return;
    // The first one stays: the widget and the agent that everything began with.
    if (ids.length === KEPT) ids.splice(1, 1);
    ids.push(id);
  };

  return {
    fill: (text) =>
      text.replaceAll(
        /\{\{(widget|channel|contact|conversation|message|agent|webhook|delivery|assistant|article|erasure|export):(\d+)\}\}/g,
        (_all, kind: IdKind, pick) => {
          const ids = known.get(kind) ?? [];
          return ids[Number(pick) % ids.length] ?? NOBODY;
        },
      ),
    forget(target) {
      // A conversation outlives its tags.
      const [, gone = ""] = /^\/api\/v1\/\w+\/([^/?]+)(?:\?|$)/.exec(target) ?? [];
      for (const ids of known.values()) {
        const index = ids.indexOf(gone);
        if (index > 0) ids.splice(index, 1);
      }
    },
    webhookOf: (delivery) => webhooks.get(delivery),
    putBelow: (path) => put.get(path)?.pop(),
    learn(body, target) {
      const data = (body as { data?: unknown } | undefined)?.data;
      for (const resource of [data].flat()) {
        const { type, id, attributes } = (resource ?? {}) as { type?: string; id?: string; attributes?: unknown };
        const kind = kindByType[type ?? ""];
        if (kind) add(kind, id);
        const webhook = kind === "delivery" && /\/webhooks\/([^/]+)\//.exec(target)?.[1];
        if (webhook && id) webhooks.set(id, webhook);
        const named = (attributes ?? {}) as { conversation_id?: unknown; contact?: { id?: unknown }; name?: string };
        const [path, params] = putAt(target, id ?? "", named.name ?? "");
        if (path) put.set(path, [...(put.get(path) ?? []), params]);
        if (named.conversation_id) add("conversation", named.conversation_id);
        if (named.contact?.id) add("contact", named.contact.id);
      }
    },
  };
}

/** Where that is taken away which an answer from this address shows. */
function putAt(target: string, id: string, name: string): [path: string | undefined, params: Record<string, string>] {
  const [, above = "", noun] = /^\/api\/v1\/\w+\/([^/]+)\/(tags|assignments|custom-data)\b/.exec(target) ?? [];
  switch (noun) {
    case "tags":
      return ["/conversations/{conversation_id}/tags/{name}", { conversation_id: above, name }];
    case "assignments":
      return ["/conversations/{conversation_id}/assignments/{agent_id}", { conversation_id: above, agent_id: id }];
    case "custom-data":
      return ["/contacts/{id}/custom-data/{name}", { id: above, name }];
    default:
      return [undefined, {}];
  }
}
