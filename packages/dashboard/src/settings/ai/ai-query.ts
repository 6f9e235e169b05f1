import type { Ai } from "@frontdesk/core/contract/rest/ai";
import type { AiSettings } from "@frontdesk/core/domain/ai/ai-settings";
import { queryOptions } from "@tanstack/react-query";
import { rest } from "../../service/rest.ts";

/** Anew whenever the page is opened: its state changes by itself. */
export const aiQuery = queryOptions({
  queryKey: ["ai"],
  queryFn: () => rest.getAi({}).then(({ data }) => data.attributes),
  staleTime: 0,
});

/** The settings as they are edited. */
export interface AiDraft extends AiSettings {
  /** Typed anew; empty keeps the stored one. */
  api_key: string;
  removesKey: boolean;
}

export interface AiEdit {
  draft: AiDraft;
  set(change: Partial<AiDraft>): void;
  problemOf(field: string): string | undefined;
}

export function draftOf(ai: Ai["attributes"]): AiDraft {
  const { is_active, name, base_url, model, second_model, embedding_model, instructions, widgets, channels, when } = ai;
  const { resolves, resolve_after_minutes, tokens_a_day, tokens_a_month, redacts, keeps_runs } = ai;
  const { handoff_rules, streamed, ghost_text } = ai;
  return {
    ...{ is_active, name, base_url, model, second_model, embedding_model, instructions, widgets, channels, when },
    ...{ resolves, resolve_after_minutes, tokens_a_day, tokens_a_month, redacts, keeps_runs },
    ...{ handoff_rules, streamed, ghost_text },
    ...{ api_key: "", removesKey: false },
  };
}

/** Whether a field is still as it was refused: what was typed since is no problem yet. Names of fields may be paths. */
export function isAsRefused(refused: AiDraft | undefined, draft: AiDraft, field: string): boolean {
  const name = field.split(".")[0] as keyof AiDraft;
  return refused !== undefined && refused[name] === draft[name];
}

/** As a request has the key; undefined keeps the stored one. */
export const keyOf = ({ api_key, removesKey }: AiDraft): string | null | undefined =>
  api_key.trim() || (removesKey ? null : undefined);

const FIELDS = [
  "is_active",
  "name",
  "base_url",
  "model",
  "second_model",
  "embedding_model",
  "instructions",
  "widgets",
  "channels",
  "when",
  "resolves",
  "resolve_after_minutes",
  "tokens_a_day",
  "tokens_a_month",
  "redacts",
  "keeps_runs",
  "handoff_rules",
  "streamed",
  "ghost_text",
] as const satisfies (keyof AiSettings)[];

/** What differs: a widget that was removed meanwhile is not sent again. */
export function changesOf(was: Ai["attributes"], draft: AiDraft) {
  const changed = FIELDS.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(draft[name]));
  const api_key = keyOf(draft);
  return {
    ...Object.fromEntries(changed.map((name) => [name, draft[name]])),
    ...(api_key !== undefined && { api_key }),
  };
}
