import { resolveOnSilence } from "../ai/turn/resolve-on-silence.ts";
import { reportChannelTrouble } from "../channels/report-trouble.ts";
import { foldSearchTexts } from "../contacts/fold-search-texts.ts";
import { endSnooze } from "../conversations/end-snooze.ts";
import { mailReplies } from "../conversations/mail-replies.ts";
import { sendHeldReply } from "../inbox/send-held-reply.ts";
import { readSiteNightly } from "../knowledge/site/queue-site.ts";
import { applyRetention } from "../privacy/apply-retention.ts";
import { expireExport } from "../privacy/expire-export.ts";
import type { TimerHandlers } from "./timer.ts";

/** What each kind of timer does when it fires. */
export const timerHandlers: TimerHandlers = {
  "end-snooze": endSnooze,
  "mail-replies": mailReplies,
  "fold-search-texts": foldSearchTexts,
  "send-held-reply": sendHeldReply,
  "apply-retention": applyRetention,
  "expire-export": expireExport,
  "read-site": readSiteNightly,
  "report-channel-trouble": reportChannelTrouble,
  "resolve-ai-silence": resolveOnSilence,
};
