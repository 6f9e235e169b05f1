/**
 * Why a message was not sent, in the agent's language: the text of each reason. The compiler requires one for each that is added
 * to `@frontdesk/core/domain/channel-reason`. Its texts are those of "delivery".
 */
import type { ErrorReason } from "@frontdesk/core/contract/errors";
import type { DeliveryReasonName } from "@frontdesk/core/domain/channel-reason";
import { type TextKey, t } from "./texts.ts";

export const deliveryReasons: Record<DeliveryReasonName, TextKey> = {
  "smtp.says": "why.says",
  "smtp.sign-in-kind": "why.signInKind",
  "smtp.blocked": "why.blocked",
  "smtp.unencrypted": "why.unencrypted",
  "smtp.tls": "why.tls",
  "smtp.no-host": "why.noHost",
  "smtp.timeout": "why.timeout",
  "smtp.away": "why.away",
  "smtp.lost": "why.lost",
  "token.refused": "why.signInOver",
  "token.app": "why.app",
  "token.service": "why.service",
  "token.away": "why.provider",
  "attempt.no-message": "why.erased",
  "attempt.no-identity": "why.noAddress",
  "attempt.no-server": "why.noServer",
  "attempt.secrets": "why.key",
  "attempt.timeout": "why.slow",
  "attempt.stopped": "why.stopping",
  "attempt.storage": "why.storage",
  "attempt.internal": "why.internal",
  "attempt.server": "why.away",
  "attempt.later": "why.later",
  "attempt.refused": "why.serverRefused",
  "attempt.quota": "why.quota",
  "attempt.pace": "why.pace",
  "attempt.daily-limit": "why.dailyLimit",
  "attempt.needs-sign-in": "why.signIn",
  "attempt.failing": "why.unusable",
  "attempt.lost": "why.lost",
  "attempt.channel-deleted": "why.channelDeleted",
};

/** A reason in the agent's language; undefined for one without a text in `texts`, as a newer service may have. */
export function reasonIn(texts: Readonly<Record<string, TextKey>>, given: ErrorReason | null | undefined) {
  const key = given && Object.hasOwn(texts, given.reason) ? texts[given.reason] : undefined;
  return key && t(key, given?.values);
}

/** A reason of a message or a recipient: in the agent's language, else as the service says it. */
export function deliveryReason(said: { reason: string | null; named_reason?: ErrorReason | undefined }): string | null {
  return reasonIn(deliveryReasons, said.named_reason) ?? said.reason;
}
