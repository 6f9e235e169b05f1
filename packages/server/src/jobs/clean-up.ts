import { deleteOldRuns, type OldRuns, RUN_LIFE_MS, teamsWithOldRuns } from "../ai/runs/run-store.ts";
import {
  dayOf,
  deleteOldContactUsage,
  type OldContactUsage,
  teamsWithOldContactUsage,
} from "../ai/turn/usage-store.ts";
import { deleteSomeOldConfirmations, teamsWithOldConfirmations } from "../assistants/confirmation-store.ts";
import { deleteOldChanges, type OldChanges, teamsWithOldChanges } from "../assistants/queued-change-store.ts";
import { deleteOldCalls, type OldCalls, teamsWithOldCalls } from "../assistants/tool-call-store.ts";
import { AUDIT_LIFE_MS } from "../audit/audit.ts";
import { deleteOldAudit, type OldAudit, teamsWithOldAudit } from "../audit/audit-store.ts";
import {
  deleteOldAppGrants,
  deleteOldAppTokens,
  type OldAppTokens,
  teamsWithOldAppGrants,
  teamsWithOldAppTokens,
} from "../authorization/app-grant-store.ts";
import { MAIL_WINDOW_MS } from "../conversations/visitor-mail-bound.ts";
import { deleteOldMails, type OldMails, teamsWithOldMails } from "../conversations/visitor-mail-store.ts";
import { SPAM_LIFE_MS } from "../email/spam/forget-old-spam.ts";
import { deleteOldBrowsers, type OldBrowsers, teamsWithOldBrowsers } from "../factors/browser-store.ts";
import { deleteOldSecondSteps, type OldSecondSteps, teamsWithOldSecondSteps } from "../factors/factor-store.ts";
import { BROWSER_LIFE_MS } from "../factors/known-browser.ts";
import { deleteOldChallenges, type OldChallenges, teamsWithOldChallenges } from "../factors/passkey-store.ts";
import { IDEMPOTENCY_LIFE_MS } from "../idempotency/answer-once.ts";
import { deleteSomeOldAnswers, teamsWithOldAnswers } from "../idempotency/idempotency-store.ts";
import { firstIdOf } from "../ids.ts";
import { deleteOldHeldReplies, type OldHeldReplies, teamsWithOldHeldReplies } from "../inbox/held-reply-store.ts";
import type { Logger } from "../logger.ts";
import {
  deleteOldItems,
  deleteRemovedItems,
  deleteRemovedQueues,
  type OldItems,
  teamsWithOldItems,
  teamsWithRemovedQueues,
} from "../outbox/outbox-log-store.ts";
import {
  blankEventsAboutErasing,
  ERASED_ID_LIFE_MS,
  forgetIdsOfOldErasures,
  type OldErasures,
  teamsWithEventsAboutErasing,
  teamsWithOldErasures,
} from "../privacy/forget-erased-store.ts";
import { SESSION_IDLE_MS, SESSION_LIFE_MS } from "../sessions/session.ts";
import { deleteOldSessions, type OldSessions, teamsWithOldSessions } from "../sessions/session-store.ts";
import type { Storage } from "../storage/database.ts";
import type { Statement } from "../storage/statement.ts";
import { deleteOldTimers, type OldTimers, teamsWithOldTimers } from "../timers/timer-store.ts";
import { deleteOldJobs, type OldJobs, teamsWithOldJobs } from "./job-store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A done job only shows that it was done; it is not needed longer. */
const DONE_JOB_LIFE_MS = 7 * DAY_MS;
/** A failed one holds its reason, and `frontdesk doctor` reports it. */
const FAILED_JOB_LIFE_MS = 30 * DAY_MS;
const FAILED_TIMER_LIFE_MS = 30 * DAY_MS;
/** How long the log of webhook deliveries is kept; longer where something is left to replay. */
const DELIVERED_LIFE_MS = 7 * DAY_MS;
const UNDELIVERED_LIFE_MS = 30 * DAY_MS;
/** How long the call log of assistants is kept, and the list of what they have queued. */
const ASSISTANT_LOG_LIFE_MS = 90 * DAY_MS;
/** Longer than an erasure of 50,000 messages takes. */
const LATE_ERASURE_MS = HOUR_MS;
/** Longer than any request is on its way. */
const ENDED_HOLD_LIFE_MS = DAY_MS;
/** Sessions that can no longer be used. */
const oldSessions = (moment: number) => ({
  seen_before: moment - SESSION_IDLE_MS,
  created_before: moment - SESSION_LIFE_MS,
  now: moment,
});
/** The wait after the start, which has enough to do. */
const FIRST_AFTER_MS = MINUTE_MS;
/** From the end of one clean-up to the next. */
const PAUSE_MS = HOUR_MS;
/** Rows in one transaction: the team's other writes wait at most for these. */
const MAX_ROWS = 500;

type DeleteSome<P> = Statement<P & { team_id: string; limit: number }, unknown>;

/** Deletes expired data once an hour. */
export interface CleanUp {
  start(): void;
  /** Waits for the batch that is being deleted, and begins no other. */
  stop(): Promise<void>;
}

/**
 * Deletes done jobs after 7 days, failed ones and failed timers after 30, and stored answers after their 24 hours: a repeated
 * request deletes those of its own team, but a team that sends no more would keep its last ones, which may hold a secret. Then
 * webhook deliveries: 7 days after they were delivered, 30 after they failed, at once, with their queue, when their
 * subscription is gone. Then calls of assistants, and queued changes that have ended, after 90 days, and expired confirmations.
 * Then files that no message took within 24 hours, the record of mails to visitors after an hour, runs of the AI after 30 days, how many answers
 * of it a contact has got when the day is over, what is left of undone replies after a day, and the ids of erased contacts and spam after 30. It also resumes erasures whose job was lost.
 *
 * Every process does it. They need no agreement: rows that one has deleted, another does not find.
 *
 * @param now the time that ages are counted from, ms since the epoch
 */
export function createCleanUp({
  storage,
  now,
  logger,
  resumeErasures,
  forgetOldSpam,
  removeUnusedFiles,
}: {
  storage: Storage;
  now: () => number;
  logger: Logger;
  /** `privacy/resume-erasures.ts` */
  resumeErasures: (before: number) => Promise<number>;
  /** `email/spam/forget-old-spam.ts` */
  forgetOldSpam: (before: number, goOn: () => boolean) => Promise<number>;
  /** `files/remove-unused-files.ts` */
  removeUnusedFiles: (now: number, goOn: () => boolean) => Promise<number>;
}): CleanUp {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  return {
    start: () => runAfter(FIRST_AFTER_MS),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };

  /** The next one is scheduled only when this one has ended. */
  function runAfter(ms: number): void {
    timer = setTimeout(() => {
      running = cleanUp().then(() => {
        if (!stopped) runAfter(PAUSE_MS);
      });
    }, ms).unref();
  }

  async function cleanUp(): Promise<void> {
    try {
      const deleted = await deleteOld(now());
      if (Object.values(deleted).some((rows) => rows > 0)) logger.info(deleted, "Deleted expired data.");
    } catch (error) {
      logger.warn({ err: error }, "Cannot delete expired data. Retrying in an hour.");
    }
  }

  /** Returns how many rows of each kind. */
  async function deleteOld(moment: number) {
    const doneBefore = moment - DONE_JOB_LIFE_MS;
    const before = moment - ASSISTANT_LOG_LIFE_MS;
    return {
      jobs: await deleteAll<OldJobs>(teamsWithOldJobs, deleteOldJobs, {
        done_before: doneBefore,
        failed_before: moment - FAILED_JOB_LIFE_MS,
        // No job has ended before it was made.
        before_id: firstIdOf(doneBefore + 1),
      }),
      timers: await deleteAll<OldTimers>(teamsWithOldTimers, deleteOldTimers, {
        failed_before: moment - FAILED_TIMER_LIFE_MS,
      }),
      answers: await deleteAll(teamsWithOldAnswers, deleteSomeOldAnswers, { before: moment - IDEMPOTENCY_LIFE_MS }),
      deliveries:
        (await deleteAll<OldItems>(teamsWithOldItems, deleteOldItems, {
          delivered_before: moment - DELIVERED_LIFE_MS,
          failed_before: moment - UNDELIVERED_LIFE_MS,
        })) + (await deleteAll(teamsWithRemovedQueues, deleteRemovedItems, {})),
      queues: await deleteAll(teamsWithRemovedQueues, deleteRemovedQueues, { lease_before: moment - DAY_MS }),
      calls: await deleteAll<OldCalls>(teamsWithOldCalls, deleteOldCalls, { before_id: firstIdOf(before + 1) }),
      changes: await deleteAll<OldChanges>(teamsWithOldChanges, deleteOldChanges, {
        ended_before: before,
        before_id: firstIdOf(before + 1),
      }),
      ...(await deleteOldAccess(deleteAll, moment)),
      audit: await deleteAll<OldAudit>(teamsWithOldAudit, deleteOldAudit, {
        before_id: firstIdOf(moment - AUDIT_LIFE_MS + 1),
      }),
      mails: await deleteAll<OldMails>(teamsWithOldMails, deleteOldMails, { before: moment - MAIL_WINDOW_MS }),
      held: await deleteAll<OldHeldReplies>(teamsWithOldHeldReplies, deleteOldHeldReplies, {
        before: moment - ENDED_HOLD_LIFE_MS,
      }),
      ai_runs: await deleteAll<OldRuns>(teamsWithOldRuns, deleteOldRuns, { before: moment - RUN_LIFE_MS }),
      // Of days that are over in UTC: the cap is one of a day.
      ai_answers: await deleteAll<OldContactUsage>(teamsWithOldContactUsage, deleteOldContactUsage, {
        before_day: dayOf(moment),
      }),
      confirmations: await deleteAll(teamsWithOldConfirmations, deleteSomeOldConfirmations, { before: moment }),
      erased_ids:
        (await deleteAll<OldErasures>(teamsWithEventsAboutErasing, blankEventsAboutErasing, {
          before: moment - ERASED_ID_LIFE_MS,
        })) +
        (await deleteAll<OldErasures>(teamsWithOldErasures, forgetIdsOfOldErasures, {
          before: moment - ERASED_ID_LIFE_MS,
        })),
      erasures: await resumeErasures(moment - LATE_ERASURE_MS),
      spam: await forgetOldSpam(moment - SPAM_LIFE_MS, () => !stopped),
      // Last: a bucket may be out of reach, which must not block the rest.
      files: await removeUnusedFiles(moment, () => !stopped),
    };
  }

  async function deleteAll<P>(...[teams, deleteSome, which]: Parameters<DeleteAll<P>>): Promise<number> {
    let total = 0;
    for (const { team_id } of await storage.read((db) => db.all(teams, which))) {
      let deleted = MAX_ROWS;
      while (deleted === MAX_ROWS && !stopped) {
        const some = { ...which, team_id, limit: MAX_ROWS };
        deleted = await storage.write(team_id, (db) => db.run(deleteSome, some));
        total += deleted;
      }
    }
    return total;
  }
}

/** Deletes in batches, team by team; returns how many rows. */
type DeleteAll<P> = (teams: Statement<P, { team_id: string }>, deleteSome: DeleteSome<P>, which: P) => Promise<number>;

/** What agents and apps had to sign in with. */
async function deleteOldAccess(
  deleteAll: <P>(...deleted: Parameters<DeleteAll<P>>) => Promise<number>,
  moment: number,
) {
  return {
    sessions: await deleteAll<OldSessions>(teamsWithOldSessions, deleteOldSessions, oldSessions(moment)),
    second_steps: await deleteAll<OldSecondSteps>(teamsWithOldSecondSteps, deleteOldSecondSteps, { before: moment }),
    browsers: await deleteAll<OldBrowsers>(teamsWithOldBrowsers, deleteOldBrowsers, {
      before: moment - BROWSER_LIFE_MS,
    }),
    challenges: await deleteAll<OldChallenges>(teamsWithOldChallenges, deleteOldChallenges, { before: moment }),
    app_tokens: await deleteAll<OldAppTokens>(teamsWithOldAppTokens, deleteOldAppTokens, { before: moment }),
    app_grants: await deleteAll<OldAppTokens>(teamsWithOldAppGrants, deleteOldAppGrants, {
      before: moment - HOUR_MS,
    }),
  };
}
