import { canonicalId } from "@frontdesk/core/domain/id";
import { invalid, nothingToChange } from "@frontdesk/core/domain/refusal";
import {
  type ChannelRetention,
  erasesAnything,
  erasesMore,
  NOTICE_MS,
  type ResolvedRetention,
  type RetentionSettings,
  resolveRetention,
  type WidgetRetention,
} from "@frontdesk/core/domain/retention";
import { audit } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import type { RetentionRow } from "../storage/tables.ts";
import { isoTimeOrNull } from "../timestamp.ts";
import { type Retention, readRetention, rulesInForce, startsAt } from "./retention.ts";
import { putRetention } from "./retention-store.ts";

export type RetentionChange = Partial<RetentionSettings>;

/**
 * Sets how long the team keeps what it has stored; what is left out stays. What erases more than before starts after a notice, what
 * erases less holds at once. A repeat changes nothing.
 *
 * @throws Refusal `invalid` for an unknown widget or channel, and without a field
 */
export const updateRetention: Operation<RetentionChange, Retention> = {
  name: "update-retention",
  mode: "write",
  async run(ctx, change) {
    if (Object.keys(only(FIELDS, change)).length === 0) throw nothingToChange(FIELDS);
    const before = await readRetention(ctx);
    const settings = settingsAfter(before, change);
    if (JSON.stringify(settings) === JSON.stringify(before.settings)) return before;
    const row = rowAfter(ctx, before, settings);
    ctx.write(putRetention, row);
    followByTimer(ctx, row, resolveRetention(settings, before.places));
    audit(ctx, { changes: changesOf(before.settings, settings), starts_at: isoTimeOrNull(row.starts_at) });
    return { ...before, row, settings, startsAt: startsAt(row, ctx.now) };
  },
};

const FIELDS = [
  "erase_after_days",
  "erase_what",
  "files_after_days",
  "page_visits_after_days",
  "ip_after_days",
  "widgets",
  "channels",
] as const satisfies (keyof RetentionSettings)[];
const OF_CHANNEL = ["erase_after_days", "erase_what", "files_after_days"] as const;
const OF_WIDGET = [...OF_CHANNEL, "page_visits_after_days"] as const;

type Problems = Record<string, "no-such-widget" | "no-such-channel" | "field-twice">;

/** @throws Refusal `invalid` */
export function settingsAfter({ settings, places }: Retention, change: RetentionChange): RetentionSettings {
  const errors: Problems = {};
  const widgetIds = places.filter(({ isWidget }) => isWidget).map(({ accountId }) => accountId);
  const channelIds = places.filter(({ isWidget }) => !isWidget).map(({ accountId }) => accountId);
  const widgets = (change.widgets ?? settings.widgets).map(
    (each): WidgetRetention => ({ ...only(OF_WIDGET, each), widget_id: idOf(each.widget_id) }),
  );
  const channels = (change.channels ?? settings.channels).map(
    (each): ChannelRetention => ({ ...only(OF_CHANNEL, each), channel_id: idOf(each.channel_id) }),
  );
  if (change.widgets) refuse(errors, "widgets", "widget_id", widgets, widgetIds);
  if (change.channels) refuse(errors, "channels", "channel_id", channels, channelIds);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { ...settings, ...only(FIELDS, change), widgets, channels };
}

/** The fields of a list that were sent: unknown ones are ignored. */
function only<Row extends object, Name extends keyof Row>(names: readonly Name[], row: Row): Partial<Pick<Row, Name>> {
  const given = names.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]);
  return Object.fromEntries(given) as Partial<Pick<Row, Name>>;
}

const idOf = (given: string): string => canonicalId(given) ?? given;

function refuse<Key extends string>(
  errors: Problems,
  list: "widgets" | "channels",
  key: Key,
  rows: readonly Record<Key, string>[],
  known: readonly string[],
): void {
  rows.forEach((row, index) => {
    const field = `${list}.${index}.${key}`;
    if (!known.includes(row[key])) errors[field] = list === "widgets" ? "no-such-widget" : "no-such-channel";
    else if (rows.findIndex((each) => each[key] === row[key]) < index) errors[field] = "field-twice";
  });
}

function rowAfter(ctx: Context, before: Retention, settings: RetentionSettings): RetentionRow {
  const after = resolveRetention(settings, before.places);
  const inForce = rulesInForce(before, ctx.now);
  const given = { team_id: ctx.teamId, settings: JSON.stringify(settings), changed_at: ctx.now };
  const kept = { ...given, erasure_id: before.row?.erasure_id ?? null };
  if (!erasesMore(after, inForce)) return { ...kept, settings_before: null, starts_at: null };
  // A notice that is running goes on, unless there is more to give notice of.
  const isMore = erasesMore(after, resolveRetention(before.settings, before.places));
  if (!isMore && before.row) {
    return { ...kept, settings_before: before.row.settings_before, starts_at: before.row.starts_at };
  }
  return { ...kept, settings_before: JSON.stringify(inForce), starts_at: ctx.now + NOTICE_MS };
}

function followByTimer(ctx: Context, row: RetentionRow, after: ResolvedRetention): void {
  const subjectId = ctx.teamId;
  if (!erasesAnything(after)) ctx.cancelTimer("apply-retention", subjectId);
  else ctx.setTimer({ kind: "apply-retention", subjectId, dueAt: row.starts_at ?? ctx.now, unlessSet: true });
}

function changesOf(before: RetentionSettings, after: RetentionSettings): Partial<RetentionSettings> {
  const changed = FIELDS.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}
