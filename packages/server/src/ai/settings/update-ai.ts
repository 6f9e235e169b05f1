import { type AiSettings, defaultAiSettings } from "@frontdesk/core/domain/ai/ai-settings";
import { canonicalId } from "@frontdesk/core/domain/id";
import type { GivenReason } from "@frontdesk/core/domain/reasons";
import { invalid, nothingToChange } from "@frontdesk/core/domain/refusal";
import { audit } from "../../audit/audit.ts";
import type { Context, Operation } from "../../context.ts";
import { enqueueEmbedding } from "../../knowledge/vectors/queue-embedding.ts";
import type { AiSettingsRow } from "../../storage/tables.ts";
import { widgetById } from "../../widgets/widget-store.ts";
import { checkBaseUrl } from "../model/base-url.ts";
import { releaseEverything } from "../turn/release.ts";
import { addAgentOfAi, followAi } from "./agent-of-ai.ts";
import { aiKeyPlace, aiOfTeam, insertAi, updateAiRow } from "./ai-settings-store.ts";
import { type ShownAi, showAi } from "./get-ai.ts";
import { handoffRulesGiven } from "./handoff-rules-given.ts";
import { hasModel, settingsOf } from "./open-ai-settings.ts";

/** What is left out stays; a key that is null is removed. */
export type AiChange = { [Name in keyof AiSettings]?: AiSettings[Name] | undefined } & {
  api_key?: string | null | undefined;
};

/**
 * Changes the given settings, at least one; the first change sets the AI up, with its agent. Values that are so already change
 * nothing. The audit log names the changed fields, and no values.
 *
 * @throws Refusal `invalid` by field
 */
export const updateAi: Operation<AiChange, ShownAi> = {
  name: "update-ai",
  mode: "write",
  async run(ctx, change) {
    if (FIELDS.every((name) => change[name] === undefined)) throw nothingToChange(FIELDS);
    const before = await ctx.db.first(aiOfTeam, { team_id: ctx.teamId });
    const settings = await settingsAfter(ctx, settingsOf(before), change);
    const first = before ?? newRow(ctx);
    const row = withKey(ctx, { ...first, ...columnsOf(settings) }, change.api_key);
    requireModel(ctx, row, settings);
    const fields = changedFields(first, row);
    if (before && fields.length === 0) return showAi(ctx, before);
    const isOtherModel = fields.some((name) => OF_MODEL.includes(name));
    // What is known of the model of before says nothing of another one, nor of another key.
    const breaker = isOtherModel ? null : row.breaker;
    // Most of another limit is not spent yet, or is told of once more.
    const warned_on = fields.some((name) => LIMITS.includes(name)) ? null : row.warned_on;
    const written = { ...row, updated_at: ctx.now, breaker, warned_on };
    if (before) {
      ctx.write(updateAiRow, written);
      if (before.is_active === 1 && written.is_active === 0) releaseEverything(ctx);
      await followAi(ctx, written);
    } else {
      addAgentOfAi(ctx, written);
      ctx.write(insertAi, written);
    }
    if (fields.some((name) => OF_VECTORS.includes(name))) await enqueueEmbedding(ctx);
    audit(ctx, { fields });
    return showAi(ctx, written);
  },
};

const SETTINGS = Object.keys(defaultAiSettings) as (keyof AiSettings)[];
const FIELDS = [...SETTINGS, "api_key"] as const;
const OF_MODEL: readonly string[] = ["base_url", "model", "second_model", "api_key"];
const LIMITS: readonly string[] = ["tokens_a_day", "tokens_a_month"];
/** An attempt that failed for a wrong key is made again with another one. */
const OF_VECTORS: readonly string[] = ["base_url", "embedding_model", "api_key"];

/** @throws Refusal `invalid` by field */
export async function settingsAfter(ctx: Context, before: AiSettings, change: AiChange): Promise<AiSettings> {
  const errors: Record<string, GivenReason> = {};
  const given = Object.fromEntries(
    SETTINGS.map((name) => [name, change[name]]).filter(([, value]) => value !== undefined),
  );
  const after: AiSettings = { ...before, ...given };
  const name = after.name.trim();
  if (name === "") errors.name = "empty";
  const base_url = after.base_url?.trim().replace(/\/+$/, "") ?? null;
  // The operator may have narrowed the networks since it was saved; it is judged again when it changes.
  const problem =
    base_url === null || base_url === before.base_url ? undefined : checkBaseUrl(base_url, ctx.modelNetwork);
  if (problem) errors.base_url = problem;
  const names = {
    model: after.model?.trim() || null,
    second_model: after.second_model?.trim() || null,
    embedding_model: after.embedding_model?.trim() || null,
  };
  for (const [field, text] of Object.entries({ name, ...names }))
    if (text && /\p{Cc}/u.test(text)) errors[field] = "control-characters";
  const widgets = Array.isArray(change.widgets) ? await knownWidgets(ctx, change.widgets, errors) : after.widgets;
  const rules = change.handoff_rules;
  const handoff_rules = rules ? await handoffRulesGiven(ctx, rules, errors) : after.handoff_rules;
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { ...after, name, base_url, ...names, widgets, handoff_rules, channels: [...new Set(after.channels)] };
}

async function knownWidgets(
  ctx: Context,
  asked: readonly string[],
  errors: Record<string, GivenReason>,
): Promise<string[]> {
  const ids = new Set(asked.map((id) => canonicalId(id) ?? id));
  const found = await Promise.all(
    [...ids].map(async (id) => (canonicalId(id) ? ctx.db.first(widgetById, { team_id: ctx.teamId, id }) : undefined)),
  );
  if (found.includes(undefined)) errors.widgets = "no-such-widget";
  return [...ids];
}

/** @throws Refusal `invalid` when the AI is on and has no model */
function requireModel(ctx: Context, row: AiSettingsRow, settings: AiSettings): void {
  if (!settings.is_active || hasModel(ctx, row)) return;
  throw invalid({
    ...(settings.base_url === null && { base_url: "schema.required" }),
    ...(settings.model === null && { model: "schema.required" }),
  });
}

function newRow(ctx: Context): AiSettingsRow {
  return {
    ...{ team_id: ctx.teamId, ai_id: ctx.newId(), agent_id: ctx.newId(), ...columnsOf(defaultAiSettings) },
    ...{ api_key_sealed: null, api_key_last: null, breaker: null, warned_on: null, updated_at: ctx.now },
  };
}

function columnsOf({ when, widgets, channels, handoff_rules, ...settings }: AiSettings) {
  const { is_active, resolves, redacts, keeps_runs, streamed, ghost_text, ...same } = settings;
  const flag = (isSo: boolean) => (isSo ? 1 : 0);
  return {
    ...same,
    ...{ is_active: flag(is_active), resolves: flag(resolves), redacts: flag(redacts), keeps_runs: flag(keeps_runs) },
    ...{ streamed: flag(streamed), ghost_text: flag(ghost_text), answers_when: when },
    ...{ widgets: JSON.stringify(widgets), channels: JSON.stringify(channels) },
    handoff_rules: JSON.stringify(handoff_rules),
  };
}

const LAST_SHOWN = 4;
/** A short key is not shown in part. */
const SHOWN_FROM = 12;

/** The key is sealed again only when it is another one: sealing gives other bytes for the same text. */
function withKey({ vault }: Context, row: AiSettingsRow, key: string | null | undefined): AiSettingsRow {
  if (key === undefined) return row;
  if (key === null) return { ...row, api_key_sealed: null, api_key_last: null };
  if (row.api_key_sealed !== null && vault.open(row.api_key_sealed, aiKeyPlace(row)) === key) return row;
  const api_key_last = key.length >= SHOWN_FROM ? key.slice(-LAST_SHOWN) : null;
  return { ...row, api_key_sealed: vault.seal(key, aiKeyPlace(row)), api_key_last };
}

/** The names of the settings that differ, as the REST API has them. */
function changedFields(before: AiSettingsRow, after: AiSettingsRow): string[] {
  const [from, to] = [settingsOf(before), settingsOf(after)];
  const changed: string[] = SETTINGS.filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]));
  return before.api_key_sealed === after.api_key_sealed ? changed : [...changed, "api_key"];
}
