import { activeAdmins } from "../agents/agent-store.ts";
import type { Context, Operation } from "../context.ts";
import type { ChannelAccountRow } from "../storage/tables.ts";
import { teamById } from "../teams/team-store.ts";
import type { FiredTimer } from "../timers/timer.ts";
import { timerByKey } from "../timers/timer-store.ts";
import { requireSettingsOf } from "./account-settings.ts";
import type { ChannelAccountState } from "./channel-account.ts";
import { channelAccountById } from "./channel-account-store.ts";
import { troubleMail } from "./trouble-mail.ts";

/** The data of the timer `report-channel-trouble`; null before the first e-mail. */
export interface ReportedTrouble {
  /** How many e-mails each admin has got. */
  times: number;
}

const MINUTE_MS = 60_000;
/** A sign-in that has ended waits for a person; a server that is away is often back by itself. */
export const REPORTED_AFTER_MS = { "needs-sign-in": 2 * MINUTE_MS, failing: 30 * MINUTE_MS } as const;
/** An admin who has just set an account up is still looking at it. */
export const NEW_FOR_MS = 30 * MINUTE_MS;
/** What lasts is reported again, and a new trouble not before. */
export const REPORTED_AGAIN_AFTER_MS = 24 * 60 * MINUTE_MS;
/** The most e-mails about one trouble. */
export const REPORTS_MAX = 3;

const isTrouble = (state: string): state is keyof typeof REPORTED_AFTER_MS => Object.hasOwn(REPORTED_AFTER_MS, state);

/**
 * To be called when the state of an account changes from or to trouble. The timer that is set reports it:
 *
 * ```
 * active --trouble--> set, 2 or 30 minutes --fires, still in trouble--> e-mails, set again for a day later, at most 3 times
 *   ^                  |        |                                         |
 *   |<--active---------'        '--fires, all is well--> nothing          '--active--> the timer stays: it spaces the next report
 * ```
 */
export async function watchTrouble(
  ctx: Context,
  { id, created_at }: Pick<ChannelAccountRow, "id" | "created_at">,
  state: ChannelAccountState,
): Promise<void> {
  if (isTrouble(state)) {
    const dueAt = Math.max(ctx.now + REPORTED_AFTER_MS[state], created_at + NEW_FOR_MS);
    return ctx.setTimer({ kind: "report-channel-trouble", subjectId: id, dueAt, data: null, unlessSet: true });
  }
  const key = { team_id: ctx.teamId, kind: "report-channel-trouble", subject_id: id };
  if ((await ctx.db.first(timerByKey, key))?.data === null) ctx.cancelTimer("report-channel-trouble", id);
}

/** Run by the timer `report-channel-trouble` of an account: e-mails its admins what is wrong and what to do. */
export const reportChannelTrouble: Operation<FiredTimer<"report-channel-trouble">, void> = {
  name: "report-channel-trouble",
  mode: "write",
  async run(ctx, { subjectId, data }) {
    const account = await ctx.db.first(channelAccountById, { team_id: ctx.teamId, id: subjectId });
    if (!ctx.sendsMail || !account || account.deleted_at !== null || !isTrouble(account.state)) return;
    const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
    const about = {
      address: requireSettingsOf(account.channel).address(JSON.parse(account.settings)),
      teamName: team?.name ?? "",
      url: `${ctx.publicUrl}/app/settings/channels/${account.id}`,
    };
    for (const admin of await ctx.db.all(activeAdmins, { team_id: ctx.teamId })) {
      ctx.enqueue({ kind: "send-mail", payload: troubleMail(admin, account, about) });
    }
    const times = (data?.times ?? 0) + 1;
    if (times === REPORTS_MAX) return;
    const dueAt = ctx.now + REPORTED_AGAIN_AFTER_MS;
    ctx.setTimer({ kind: "report-channel-trouble", subjectId, dueAt, data: { times } });
  },
};
