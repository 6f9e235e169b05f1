/** How long a team keeps what it has stored (docs/decisions/0055-retention.md). Null days: for ever. */

/** What of a conversation is erased: all of it, or the texts and files of its messages. */
export const erasedParts = ["conversations", "texts"] as const;
export type ErasedPart = (typeof erasedParts)[number];

export interface RetentionRules {
  /** After a conversation was resolved and had no message. */
  erase_after_days: number | null;
  erase_what: ErasedPart;
  /** After a file was sent. */
  files_after_days: number | null;
  page_visits_after_days: number | null;
}

/** A field that is left out is as the widget of the channel has it, else as the team has it. */
export type WidgetRetention = { widget_id: string } & Partial<RetentionRules>;
export type ChannelRetention = { channel_id: string } & Partial<Omit<RetentionRules, "page_visits_after_days">>;

export interface RetentionSettings extends RetentionRules {
  ip_after_days: number | null;
  widgets: readonly WidgetRetention[];
  channels: readonly ChannelRetention[];
}

export const KEEP_EVERYTHING: RetentionSettings = {
  erase_after_days: null,
  erase_what: "conversations",
  files_after_days: null,
  page_visits_after_days: null,
  ip_after_days: null,
  widgets: [],
  channels: [],
};

export const RETENTION_DAYS_MAX = 3_650;
/** Settings that erase more than before hold after these days. */
export const NOTICE_DAYS = 7;

const DAY_MS = 24 * 60 * 60 * 1_000;
export const NOTICE_MS = NOTICE_DAYS * DAY_MS;

/** Where conversations come in: a channel account and its widget; of a widget itself both are its id. */
export interface RetentionPlace {
  accountId: string;
  widgetId: string;
}

/** The rules of a place, and for what belongs to none. */
export interface ResolvedRetention {
  ip_after_days: number | null;
  /** Of places that are added later. */
  team: RetentionRules;
  /** By the id of the account. */
  accounts: Readonly<Record<string, RetentionRules>>;
}

export function resolveRetention(settings: RetentionSettings, places: readonly RetentionPlace[]): ResolvedRetention {
  const { erase_after_days, erase_what, files_after_days, page_visits_after_days } = settings;
  const team: RetentionRules = { erase_after_days, erase_what, files_after_days, page_visits_after_days };
  const rulesOf = ({ accountId, widgetId }: RetentionPlace): RetentionRules => {
    const { widget_id: _, ...widget } = settings.widgets.find((each) => each.widget_id === widgetId) ?? {};
    const { channel_id: __, ...channel } = settings.channels.find((each) => each.channel_id === accountId) ?? {};
    return { ...team, ...widget, ...channel };
  };
  const accounts = Object.fromEntries(places.map((place) => [place.accountId, rulesOf(place)]));
  return { ip_after_days: settings.ip_after_days, team, accounts };
}

/** What both rules erase, and nothing that only one does. */
export function loosestRetention(one: ResolvedRetention, other: ResolvedRetention): ResolvedRetention {
  const ids = [...new Set([...Object.keys(one.accounts), ...Object.keys(other.accounts)])];
  return {
    ip_after_days: longer(one.ip_after_days, other.ip_after_days),
    team: looser(one.team, other.team),
    accounts: Object.fromEntries(
      ids.map((id) => [id, looser(one.accounts[id] ?? one.team, other.accounts[id] ?? other.team)]),
    ),
  };
}

const looser = (one: RetentionRules, other: RetentionRules): RetentionRules => {
  const erase_after_days = longer(one.erase_after_days, other.erase_after_days);
  const erasesTexts = [one, other].some((rules) => rules.erase_after_days !== null && rules.erase_what === "texts");
  return {
    erase_after_days,
    erase_what: erasesTexts ? "texts" : other.erase_what,
    files_after_days: longer(one.files_after_days, other.files_after_days),
    page_visits_after_days: longer(one.page_visits_after_days, other.page_visits_after_days),
  };
};

const longer = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.max(one, other);

/** Whether `after` erases something that `before` keeps. */
export function erasesMore(after: ResolvedRetention, before: ResolvedRetention): boolean {
  const pairs = Object.keys(after.accounts).map((id) => [after.accounts[id], before.accounts[id] ?? before.team]);
  return (
    isShorter(after.ip_after_days, before.ip_after_days) ||
    [[after.team, before.team], ...pairs].some(([one, other]) => one && other && rulesEraseMore(one, other))
  );
}

function rulesEraseMore(after: RetentionRules, before: RetentionRules): boolean {
  const becomesWhole =
    after.erase_after_days !== null && after.erase_what === "conversations" && before.erase_what === "texts";
  return (
    becomesWhole ||
    isShorter(after.erase_after_days, before.erase_after_days) ||
    isShorter(after.files_after_days, before.files_after_days) ||
    isShorter(after.page_visits_after_days, before.page_visits_after_days)
  );
}

const isShorter = (after: number | null, before: number | null): boolean =>
  after !== null && (before === null || after < before);

/** Whether anything is ever erased. */
export function erasesAnything(retention: ResolvedRetention): boolean {
  return erasesMore(retention, resolveRetention(KEEP_EVERYTHING, []));
}

/** What is older than this is erased, ms since the epoch; undefined: nothing is. */
export const erasedBefore = (now: number, days: number | null): number | undefined =>
  days === null ? undefined : now - days * DAY_MS;
