/**
 * Refusals in the agent's language: the text of each reason that the dashboard can meet. The compiler requires one for each
 * reason added to `@frontdesk/core/domain/reasons`. Loaded after the first screen.
 */
import type { NamedReason, ReasonName } from "@frontdesk/core/domain/reasons";
import { type TextKey, t } from "./texts.ts";
import { loadTextsOf } from "./texts-of-screens.ts";

/** Only met by programs, tools, visitors or the set-up page. */
type NotShownHere = Extract<
  ReasonName,
  | "not-authenticated"
  | "no-token"
  | "token-of-app"
  // The page to sign in says it in a text of its own.
  | "account-deactivated"
  | "introduce-again"
  | "not-allowed"
  | "access-off"
  | "agent-deactivated"
  | "lacks-scopes"
  | "visitor-blocked"
  | "assistant-inactive"
  | "connection-creator-deactivated"
  | "connection-not-live"
  | "lacks-permission"
  | "read-only-address"
  | "no-agent-matches"
  | "no-room-for-messages"
  // The client puts the reply back without a word of the service.
  | "reply-undone"
  | "reply-returned"
  | "reply-returned-by-email"
  | "not-found.tool"
  | `obstacle.${string}`
  | "http.other-methods"
  | "http.only-websockets"
  | "http.unreadable"
  | "http.not-json"
  | "http.too-many-parts"
  | "http.too-deep"
  | "http.not-a-mail"
  | "http.mail-empty"
  | "http.mail-too-large"
  | "http.batch-too-long"
  | "field-twice"
  | "past-page"
  | "no-such-place"
  | "not-a-whole-number"
  | "range-order"
  | "range-too-long"
  | "tool-list-format"
  | `idempotency-key-${string}`
  | "cannot-sign-in"
  | "own-password"
  | "setup-over"
  | "email-has-account"
  | "agent-missing"
  | "failed-long-ago"
  | "agent-or-query"
  | "conversation-not-resolved"
  | "message-cursor"
  | `confirmation-${string}`
  | `identity-${string}`
>;

export const reasonTexts: Record<Exclude<ReasonName, NotShownHere>, TextKey> = {
  "no-session": "problem.signedOut",
  "contact-held": "problem.contactHeld",
  "delivery-erased": "problem.deliveryErased",
  "contact-being-erased": "problem.beingErased",
  "spam-sender-held": "problem.senderHeld",
  "widget-in-use": "problem.widgetInUse",
  "widget-contacts-held": "problem.widgetHeld",
  "widget-is-home": "problem.widgetIsHome",
  "wrong-sign-in": "problem.signIn",
  "no-model": "problem.noModel",
  "model-refuses": "problem.modelRefuses",
  "model-busy": "problem.modelBusy",
  "model-fails": "problem.modelFails",
  "model-too-long": "problem.modelTooLong",
  "model-away": "problem.modelAway",
  "ai-tokens-spent": "problem.aiTokensSpent",
  "no-such-language": "problem.noSuchLanguage",
  "sso-failed": "problem.ssoFailed",
  "sso-no-account": "problem.ssoNoAccount",
  "sso-away": "problem.ssoAway",
  role: "problem.role",
  "verify-again": "problem.verifyAgain",
  "second-step-over": "problem.secondStepOver",
  "enrol-first": "problem.enrolFirst",
  "has-app": "problem.hasApp",
  "no-app-begun": "problem.startAgain",
  "passkey-refused": "problem.passkeyRefused",
  "too-many-passkeys": "problem.manyPasskeys",
  "no-passkeys-here": "problem.noPasskeys",
  "no-factor": "problem.noFactor",
  "last-factor": "problem.lastFactor",
  "passkey-unknown": "problem.passkey",
  invalid: "problem.unfit",
  "file-too-large": "problem.fileSize",
  "rate-limited": "problem.tooMany",
  unavailable: "problem.service",
  "team-busy": "problem.service",
  "no-room-for-files": "problem.noRoom",
  "reply-overtaken": "problem.overtaken",

  "not-found.contact": "problem.gone",
  "not-found.message": "problem.gone",
  "not-found.original": "problem.gone",
  "not-found.erasure": "problem.gone",
  "not-found.export": "problem.gone",
  "not-found.conversation": "problem.gone",
  "not-found.widget": "problem.gone",
  "not-found.channel": "problem.gone",
  "not-found.suppression": "problem.gone",
  "not-found.spam": "problem.gone",
  "not-found.agent": "problem.gone",
  "not-found.assignment": "problem.gone",
  "not-found.tag": "problem.gone",
  "not-found.custom-data": "problem.gone",
  "not-found.custom-field": "problem.gone",
  "not-found.article": "problem.gone",
  "not-found.site": "problem.gone",
  "site-address": "problem.siteAddress",
  "site-known": "problem.siteKnown",
  "too-many-sites": "problem.manySites",
  "site-under-way": "problem.siteUnderWay",
  "file-form": "problem.fileForm",
  "file-unreadable": "problem.fileUnreadable",
  "file-too-much": "problem.fileUnreadable",
  "file-without-text": "problem.fileNoText",
  "conversation-open": "problem.conversationOpen",
  "conversation-without-answer": "problem.conversationNoAnswer",
  "article-with-details": "problem.articleDetails",
  "not-found.webhook": "problem.gone",
  "not-found.ai-run": "problem.gone",
  "not-found.delivery": "problem.gone",
  "not-found.api-key": "problem.gone",
  "not-found.assistant": "problem.gone",
  "not-found.team": "problem.gone",
  "not-found.file": "problem.gone",
  "not-found.session": "problem.gone",
  "not-found.factor": "problem.gone",
  "not-found.browser": "problem.gone",
  "not-found.canned-reply": "problem.gone",
  "not-found.saved-view": "problem.gone",
  "not-found.sso-provider": "problem.ssoNone",
  "not-found.sso-domain": "problem.gone",
  "not-found.invitation": "problem.link",
  "not-found.password-reset": "problem.link",

  "http.fault": "problem.service",
  "http.stopping": "problem.service",
  "http.no-such-address": "problem.gone",
  "http.no-such-part": "problem.gone",
  "http.body-too-large": "problem.tooLarge",
  "http.own-page-only": "problem.address",
  "http.foreign-host": "problem.address",
  "http.foreign-page": "problem.address",

  "schema.required": "problem.empty",
  "schema.empty": "problem.empty",
  "schema.min-length": "problem.tooShort",
  "schema.max-length": "problem.tooLong",
  "schema.email": "problem.email",
  "schema.web-url": "problem.webAddress",
  "schema.endpoint-url": "problem.endpoint",
  "schema.phone": "problem.phone",
  "schema.max-items": "problem.tooManyItems",
  "schema.type": "problem.unfit",
  "schema.enum": "problem.unfit",
  "schema.minimum": "problem.unfit",
  "schema.maximum": "problem.unfit",
  "schema.min-items": "problem.unfit",
  "schema.min-properties": "problem.unfit",
  "schema.additional-property": "problem.unfit",
  "schema.pattern": "problem.unfit",
  "schema.uuid": "problem.unfit",
  "schema.time": "problem.date",
  "schema.other": "problem.unfit",

  empty: "problem.empty",
  "too-long": "problem.tooLong",
  "not-an-email": "problem.email",
  "not-a-time": "problem.date",
  "unstorable-text": "problem.characters",
  "control-characters": "problem.characters",
  "nothing-to-change": "problem.nothing",

  "password-too-short": "problem.shortPassword",
  "password-too-long": "problem.longPassword",
  "password-guessable": "problem.easyPassword",
  "password-personal": "problem.personalPassword",
  "wrong-password": "problem.notPassword",
  "wrong-code": "problem.code",
  "own-factors": "problem.ownFactors",

  "sso-issuer": "problem.ssoIssuer",
  "sso-tenant": "problem.ssoTenant",
  "sso-no-provider": "problem.ssoNoProvider",
  "sso-issuer-away": "problem.ssoIssuerAway",
  "sso-issuer-private": "problem.ssoPrivate",
  "ai-base-url": "problem.aiBaseUrl",
  "ai-base-url-plain": "problem.aiBaseUrlPlain",
  "ai-base-url-private": "problem.aiBaseUrlPrivate",
  "no-such-tag": "problem.tag",
  "ai-page-rule": "problem.pageRule",
  "sso-id-taken": "problem.ssoIdTaken",
  "sso-too-many": "problem.ssoTooMany",
  "sso-domain": "problem.ssoDomain",
  "sso-domain-taken": "problem.ssoDomainTaken",
  "sso-no-record": "problem.ssoNoRecord",
  "sso-not-proven": "problem.ssoNotProven",
  "sso-sign-in-first": "problem.ssoSignInFirst",
  "sso-no-break-glass": "problem.ssoNoBreakGlass",
  "sso-not-owner": "problem.ssoNotOwner",
  "sso-keeper-factor": "problem.ssoKeeperFactor",
  "sso-required": "problem.ssoRequired",
  "no-such-agent": "problem.agent",
  "no-such-key-owner": "problem.agent",
  "other-agent": "problem.ownName",
  "last-owner": "problem.lastOwner",
  "not-deactivated": "problem.notDeactivated",
  "not-invited": "problem.notInvited",
  "in-team-already": "problem.inTeam",
  "email-twice": "problem.emailTwice",

  "name-taken": "problem.nameTaken",
  "unknown-placeholder": "problem.placeholder",
  "tag-name-taken": "problem.nameTaken",
  "tag-name-taken-mergeable": "problem.nameTaken",
  "field-name-taken": "problem.nameTaken",
  "too-many-saved-views": "problem.tooManyItems",
  "preferences-too-large": "problem.tooLarge",

  "message-empty": "problem.messageEmpty",
  "message-id-taken": "problem.messageTwice",
  "conversation-resolved": "problem.resolved",
  "snooze-time": "problem.time",
  "snooze-until": "problem.time",
  "visitor-wrote-meanwhile": "problem.writtenMeanwhile",

  "file-empty": "problem.fileEmpty",
  "too-many-waiting-files": "problem.waitingFiles",
  "not-a-sent-file": "problem.ownFile",
  "not-an-image": "problem.image",

  "key-expired": "problem.past",
  "scopes-above-role": "problem.scopes",
  "no-such-names": "problem.unfit",
  "no-such-widget": "problem.gone",
  "connection-revoked": "problem.revoked",
  "connected-by-app": "problem.connectedByApp",
  "app-request": "problem.appRequest",
  "drafts-unsearched": "problem.unfit",
  "no-waiting-secret": "problem.noSecret",
  "webhook-off": "problem.webhookOff",
  "not-an-endpoint": "problem.endpoint",

  "widget-color": "problem.color",
  "widget-choice": "problem.unfit",
  "widget-language": "problem.unfit",
  "widget-greeting": "problem.greeting",
  "widget-too-many-sites": "problem.tooManyItems",
  "widget-site": "problem.site",
  "widget-too-many-fields": "problem.tooManyItems",
  "widget-field-name": "problem.fieldName",
  "hours-timezone": "problem.unfit",
  "hours-day": "problem.unfit",
  "hours-too-many": "problem.tooManyItems",
  "hours-time": "problem.unfit",
  "hours-backwards": "problem.hoursBackwards",
  "hours-overlap": "problem.hoursOverlap",
  "hours-too-many-closed": "problem.tooManyItems",
  "hours-closed-date": "problem.date",
  "account-connected": "problem.accountConnected",
  "mail-host": "problem.mailHost",
  "host-not-allowed": "problem.hostNotAllowed",
  "security-none": "problem.securityNone",
  "oauth-password": "problem.unfit",
  "oauth-tenant": "problem.unfit",
  "oauth-own-tenant": "problem.ownTenant",
  "oauth-key": "problem.oauthKey",
  "sign-in-over": "problem.signInOver",
  "oauth-required": "problem.empty",
  "address-local-part": "problem.localPart",
  "channel-cannot-send": "problem.channelNoServer",
  "channel-deleted": "problem.channelDeleted",
  "channel-paused": "problem.channelPaused",
  "channel-needs-sign-in": "problem.channelSignIn",
  "no-mail-recipient": "problem.noMailRecipient",
  "recipient-suppressed": "problem.recipientSuppressed",
  "not-failed": "problem.notFailed",
  "not-emails": "problem.notEmails",
  "own-mail-address": "problem.ownMailAddress",
  "contact-blocked": "problem.contactBlocked",
  "no-such-channel": "problem.gone",
  "mail-files-too-large": "problem.mailFiles",
};

export async function loadReasonTexts(): Promise<void> {
  await loadTextsOf("problems");
}

/** Undefined for a reason without a text here. */
export function textOfReason(name: string, values: NamedReason["values"]): string | undefined {
  return Object.hasOwn(reasonTexts, name) ? t(reasonTexts[name as keyof typeof reasonTexts], values) : undefined;
}
