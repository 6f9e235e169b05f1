/** What a session means for a mail, its recipients and its account (reference, section 3: answers of the server; B28). */
import { channelReason } from "@frontdesk/core/domain/channel-reason";
import { describe, expect, test } from "vitest";
import { mailAttempt } from "./mail-attempt.ts";
import { serverSays } from "./smtp-answer.ts";
import type { RecipientResult, SmtpResult } from "./smtp-send.ts";

const VERA = "vera@example.com";
const WILL = "will@example.com";
const mail = { messageId: "<x@acme.example>", isSentToOthers: false };
const answered = (...recipients: RecipientResult[]): SmtpResult => ({
  outcome: "answered",
  ...{ recipients, response: "250 ok", serverMessageId: null },
});
const sent = (address: string): RecipientResult => ({ address, state: "sent" });
const refused = (address: string): RecipientResult => ({ address, state: "refused", reason: serverSays("550 no") });
const later = (address: string): RecipientResult => ({ address, state: "later", reason: serverSays("451 later") });

describe("the answers for two recipients", () => {
  test.each([
    ["both sent", answered(sent(VERA), sent(WILL)), "accepted", ["sent", "sent"]],
    ["one refused", answered(refused(VERA), sent(WILL)), "accepted", ["failed", "sent"]],
    ["one later", answered(later(VERA), sent(WILL)), "retry", ["waiting", "sent"]],
    ["one later, one refused", answered(later(VERA), refused(WILL)), "retry", ["waiting", "failed"]],
    ["both refused", answered(refused(VERA), refused(WILL)), "refused", ["failed", "failed"]],
  ])("%s", (_what, result, outcome, states) => {
    const attempt = mailAttempt(result, [VERA, WILL], mail);
    expect(attempt.outcome.outcome).toBe(outcome);
    expect(attempt.recipients.map(({ state }) => state)).toEqual(states);
    expect(attempt).toMatchObject({ trouble: null, pauseMs: 0 });
  });
});

test("a mail is accepted when its last recipient is refused and earlier attempts have sent it to others", () => {
  const { outcome } = mailAttempt(answered(refused(VERA)), [VERA], { ...mail, isSentToOthers: true });
  expect(outcome).toEqual({ outcome: "accepted", externalId: mail.messageId });
});

test("trouble and quotas are the account's: the mail waits with the server's words, and uses no attempt", () => {
  const reason = serverSays("535 5.7.8 wrong");
  const signIn: SmtpResult = { outcome: "trouble", state: "needs-sign-in", reason, afterMs: 300_000 };
  expect(mailAttempt(signIn, [VERA], mail)).toEqual({
    outcome: { outcome: "postponed", reason: "needs-sign-in", after: 300_000 },
    recipients: [{ address: VERA, state: "waiting", reason }],
    trouble: { state: "needs-sign-in", reason },
    pauseMs: 0,
  });
  const quota: SmtpResult = { outcome: "pause", reason: serverSays("550 5.4.5 limit"), afterMs: 3_600_000 };
  expect(mailAttempt(quota, [VERA], mail)).toMatchObject({
    outcome: { outcome: "postponed", reason: "quota", after: 3_600_000 },
    ...{ pauseMs: 3_600_000, trouble: null },
  });
});

test("a mail that was handed over and not answered is unknown for all that were tried", () => {
  const lost: SmtpResult = { outcome: "unknown", reason: channelReason("smtp.lost") };
  expect(mailAttempt(lost, [VERA, WILL], mail)).toMatchObject({
    outcome: { outcome: "unknown" },
    recipients: [{ state: "unknown" }, { state: "unknown" }],
  });
});

test("an attempt that ends before the mail is handed over leaves its recipients as they were", () => {
  expect(mailAttempt({ outcome: "aborted" }, [VERA], mail)).toMatchObject({
    outcome: { outcome: "retry" },
    recipients: [],
  });
  const reason = channelReason("smtp.away");
  expect(mailAttempt({ outcome: "retry", reason }, [VERA], mail)).toMatchObject({
    outcome: { outcome: "retry" },
    recipients: [{ state: "waiting", reason }],
  });
});
