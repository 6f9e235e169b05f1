/**
 * Why something is refused, by name: one sentence each, with its values in braces. The REST API and the tools answer with the
 * sentence alone; the private APIs send name and values as well, and the dashboard translates by them
 * (docs/decisions/0042-one-http-contract.md). A name or a value that is renamed is renamed in the dashboard's `texts/reason-texts.ts`.
 */

import { fillPlaces, type PlacesOf, type PlaceValues } from "./text-places.ts";

/** A request that is refused as a whole. */
const wholeText = {
  "not-authenticated": "The API key is missing or invalid.",
  "no-token": "The bearer token is missing or invalid.",
  "token-of-app": "The access token is unknown, has expired, or is for another address.",
  "no-session": "Please sign in.",
  "account-deactivated": "Your account is deactivated.",
  "introduce-again": "Please identify the visitor again.",
  "wrong-sign-in": "The email address or password is incorrect.",
  "second-step-over": "This sign-in took too long. Please enter your password again.",
  "passkey-unknown": "This passkey does not work here.",
  "enrol-first": "Your team requires a second factor. Please add one first.",
  "has-app": "You already have an authenticator app. Remove it first.",
  "no-app-begun": "Please start again with a new QR code.",
  "passkey-refused": "This passkey could not be added. Please try again.",
  "too-many-passkeys": "You have as many passkeys as there can be. Remove one first.",
  "no-passkeys-here": "Passkeys need https and a host name. This address has neither, or only one of them.",
  "no-factor": "Add a passkey or an authenticator app first.",
  "last-factor": "Your team requires a second factor, and this is your last one. Add another one first.",
  "sso-failed": "This sign-in could not be completed. Please start it again.",
  "sso-no-account": "Your company account has no place in this team. Ask an admin of your team to invite you.",
  "sso-away": "Your company's sign-in does not answer. Please try again later.",
  "not-allowed": "This API key does not have permission to do this.",
  role: "Your role does not allow this.",
  "verify-again": "Please confirm that it is you, then try again.",
  "access-off": "API access is turned off for this account.",
  "agent-deactivated": "The agent of this API key is deactivated.",
  "lacks-scopes": "This API key cannot {what}. Missing scopes: {scopes}.",
  "visitor-blocked": "You can no longer send messages here.",
  "contact-blocked": "This contact is blocked.",
  "assistant-inactive": "The assistant is no longer active.",
  "connection-creator-deactivated":
    "The agent who created this connection is deactivated. An admin can create a new token for it.",
  "connection-not-live": "This connection is not active: it is paused, or it no longer has access to anything.",
  "lacks-permission": "This connection does not have the {permission} permission ({label}). An admin can grant it.",
  "read-only-address": "This endpoint is read-only. Tools that change something are at /mcp.",
  "no-agent-matches": "No agent's name or email matches agent_query.",
  invalid: "Some fields are invalid.",
  "file-too-large": "The file is too large. Files can be up to {max} MB.",
  "rate-limited": "Too many requests. Please wait a moment and try again.",
  unavailable: "The service cannot reach its storage. Please try again shortly.",
  "team-busy": "This team is receiving too many messages right now. Please try again later.",
  "no-room-for-messages": "Messages cannot be stored right now. Please try again later.",
  "no-room-for-files": "Files cannot be stored right now. Please try again later.",
  "reply-overtaken": "A teammate has replied in the meantime.",
  "reply-undone": "Sending this reply was undone.",
  "reply-returned": "This reply could not be sent. It is a draft again.",
  "no-model": "No language model is set up. An admin can do it in Settings > AI agent.",
  "model-refuses": "The model server refuses requests. An admin can check its address and key in Settings > AI agent.",
  "model-busy": "The model has too much to do right now. Please try again in a moment.",
  "model-fails": "The model gave no answer. Please try again.",
  "model-too-long": "The text became too long. Please try a shorter one.",
  "model-away":
    "The model has failed and is not asked for now. Please try again in a minute. An admin can see why in Settings > AI agent.",
  "ai-tokens-spent":
    "The team's tokens for today or this month are spent. An admin can raise the limit in Settings > AI agent.",
  "reply-returned-by-email": "A new email came in before this reply was sent. It is a draft again.",
} as const;

/** What was not found. */
const notFoundText = {
  "not-found.contact": "Contact not found.",
  "not-found.message": "Message not found.",
  "not-found.original": "This message has no original email.",
  "not-found.erasure": "Erasure not found.",
  "not-found.export": "Export not found.",
  "not-found.conversation": "Conversation not found.",
  "not-found.widget": "Widget not found.",
  "not-found.channel": "Channel not found.",
  "not-found.suppression": "This address is not suppressed.",
  "not-found.spam": "Spam not found.",
  "not-found.agent": "Agent not found.",
  "not-found.assignment": "This agent is not assigned to the conversation.",
  "not-found.tag": "Tag not found.",
  "not-found.custom-data": "Custom data not found.",
  "not-found.custom-field": "Custom field not found.",
  "not-found.article": "Article not found.",
  "not-found.site": "Site not found.",
  "not-found.webhook": "Webhook not found.",
  "not-found.delivery": "Delivery not found.",
  "not-found.api-key": "API key not found.",
  "not-found.assistant": "Assistant not found.",
  "not-found.tool": "Tool not found.",
  "not-found.team": "Team not found.",
  "not-found.file": "There is nothing at this address.",
  "not-found.invitation": "This invitation is no longer valid. Please ask for a new one.",
  "not-found.factor": "This passkey or app has already been removed.",
  "not-found.browser": "This browser is no longer trusted.",
  "not-found.session": "This session has already ended.",
  "not-found.password-reset": "This link is no longer valid. Please request a new one.",
  "not-found.canned-reply": "Canned reply not found.",
  "not-found.saved-view": "Saved view not found.",
  "not-found.sso-provider": "This sign-in provider does not exist.",
  "not-found.sso-domain": "Domain not found.",
  "not-found.ai-run": "Run not found.",
} as const;

/** What prevents an assistant's reply or note, and what to do about it. */
const obstacleText = {
  "obstacle.blocked": "This visitor is blocked. Nothing can be sent to them.",
  "obstacle.resolved": "This conversation is resolved. Reopen it first: unresolve-conversation.",
  "obstacle.handed-over": "A human has been asked to take over this conversation.",
  "obstacle.no-agent": "No agent is configured for this connection, so it cannot reply. An admin can choose one.",
  "obstacle.no-author": "The user who created this connection no longer has an agent profile, so it cannot add notes.",
} as const;

/** A request that HTTP itself refuses, or that cannot be parsed. */
const httpText = {
  "http.fault": "Something went wrong on our side. Please try again.",
  "http.stopping": "The server is stopping. Try again in a moment.",
  "http.no-such-address": "There is nothing at this address.",
  "http.no-such-part": "This part of the inbox does not exist.",
  "http.other-methods": "This address accepts {methods}.",
  "http.not-a-mail": "The body must be message/rfc822.",
  "http.mail-empty": "The body is empty. It has to be the whole mail.",
  "http.mail-too-large": "The mail is too large. A mail can be up to 50 MB.",
  "http.only-websockets": "This address accepts WebSockets only.",
  "http.unreadable": "The request could not be read. Please check its JSON and its encoding.",
  "http.body-too-large": "The request is too large. A body can be up to 1 MiB.",
  "http.not-json": "The body must be application/json in UTF-8.",
  "http.too-many-parts": "The body has too many fields or items.",
  "http.too-deep": "The body is nested too deeply.",
  "http.batch-too-long": "A batch can have at most {max} messages.",
  "http.own-page-only": "This can only be done from a page on this Frontdesk server.",
  "http.foreign-host": "This server does not serve this host name. The operator sets it with PUBLIC_URL.",
  "http.foreign-page": "Requests from pages of this origin are not allowed.",
} as const;

/** A field that breaks a rule of its schema; named as the keyword of JSON Schema, where there is one. */
const schemaText = {
  "schema.required": "This field is required.",
  "schema.type": "Must be {types}.",
  "schema.enum": "Must be one of {choices}.",
  "schema.empty": "Must not be empty.",
  "schema.min-length": "Must have at least {min} characters.",
  "schema.max-length": "Must have at most {max} characters.",
  "schema.minimum": "Must be at least {min}.",
  "schema.maximum": "Must be at most {max}.",
  "schema.min-items": "Must have at least {min} items.",
  "schema.max-items": "Must have at most {max} items.",
  "schema.min-properties": "Must have at least one field.",
  "schema.additional-property": "Unknown field.",
  "schema.web-url": "Must be an http or https URL.",
  "schema.endpoint-url": "Must be an https URL without a user name or password.",
  "schema.phone": "Must be 7 to 15 digits with an optional leading +. Example: +4915112345678.",
  "schema.pattern": "Has an invalid format. See the reference.",
  "schema.email": "Must be an email address.",
  "schema.uuid": "Must be a UUID.",
  "schema.time": "Must be an ISO 8601 time. Example: 2026-11-20T12:00:00Z.",
  "schema.other": "Is invalid: {rule}.",
} as const;

/** A field whose value the product does not accept. */
const fieldText = {
  "site-address": "This is not the address of a website. Use one such as https://www.example.com/help/.",
  "site-known": "This website has already been added.",
  "too-many-sites": "You can have at most {max} websites.",
  "site-under-way": "This website is being read right now.",
  "file-form": "Only PDF, Word (.docx), Markdown and text files can be imported.",
  "file-unreadable": "This file could not be read. It may be damaged or protected by a password.",
  "file-too-much": "This file is too complex to be read. Try to split it.",
  "file-without-text": "No text was found in this file. If it was scanned, run text recognition first.",
  "conversation-open": "Resolve this conversation first.",
  "conversation-without-answer": "No question that others could have as well was answered in this conversation.",
  "article-with-details":
    "The suggested article would have named people or their details, so it was not kept. Please try again.",
  "field-twice": "This field is given twice.",
  "unstorable-text": "This text contains characters that cannot be stored.",
  "nothing-to-change": "Please send at least one of {fields}.",
  empty: "Please fill this in.",
  "control-characters": "Please leave out control characters.",
  "too-long": "Please use at most {max} characters.",
  "not-an-email": "Please enter an email address, such as ada@example.com.",
  "past-page": "Must be the `next` value of the previous page.",
  "no-such-place": "Must be the `next` value of an earlier response.",
  "not-a-whole-number": "Must be a whole number.",
  "not-a-time": "Must be an ISO 8601 time, such as 2026-11-20T12:00:00Z.",
  "range-order": "Must be later than `from`.",
  "range-too-long": "Must be at most {max} days after `from`.",
  "tool-list-format": "Must be mcp or openai.",
  "idempotency-key-form": "Must be {min} to {max} plain characters.",
  "idempotency-key-reused": "This key was already used for a different request.",

  "password-too-short": "Please choose a password of at least {min} characters.",
  "password-too-long": "Please choose a password of at most {max} characters.",
  "password-guessable": "This password is too easy to guess. Please choose another one.",
  "password-personal": "Please choose a password that is not your name, email or team.",
  "wrong-password": "This password is incorrect.",
  "wrong-code": "This code is incorrect, or was used before.",
  "own-factors": "Please change your own in your profile.",
  "cannot-sign-in": "This person cannot sign in.",
  "own-password": "Please change your own password in your profile.",
  "setup-over": "This setup link no longer works.",
  "email-has-account": "An account with this email address already exists.",

  "sso-issuer": "Please enter the issuer exactly as your provider shows it, such as https://login.example.com.",
  "sso-tenant": "Please use the issuer of your own tenant. Others let in accounts of every organization.",
  "sso-no-provider": "There is no OpenID Connect provider with this issuer. Compare it letter by letter.",
  "sso-issuer-away": "This provider does not answer.",
  "sso-issuer-private":
    "This address is in a private network. The operator of this server can allow it with SSO_ALLOWED_NETWORKS.",
  "ai-base-url": "Please enter the address of the model server, such as https://api.openai.com/v1.",
  "ai-base-url-plain":
    "Please use https. Without it, only networks that the operator of this server has listed can be reached.",
  "ai-base-url-private":
    "This address is in a private network. The operator of this server can allow it with AI_ALLOWED_NETWORKS.",
  "no-such-language": "Please name a language by its tag, such as de or pt-BR.",
  "sso-id-taken": "This provider was saved already. Reload the page.",
  "sso-too-many": "A team can have at most {max} of these.",
  "sso-domain": "Please enter a domain, such as example.com.",
  "sso-domain-taken": "This domain belongs to another team on this server.",
  "sso-no-record": "The TXT record was not found. It can take an hour until a new record is seen everywhere.",
  "sso-not-proven": "Prove first that this domain is yours.",
  "sso-sign-in-first": "Sign in with your own company account first. Then you can require it.",
  "sso-no-break-glass": "Name an owner first who keeps their password.",
  "sso-not-owner": "This must be an active owner with a password.",
  "sso-keeper-factor": "Your team requires a second factor. This owner has to add one first.",
  "sso-required": "Single sign-on is required, and this would lock people out. Stop requiring it first.",

  "no-such-agent": "Your team has no such agent.",
  "no-such-key-owner": "The team has no such agent.",
  "other-agent": "You can only do this as yourself.",
  "last-owner": "This is the team's last owner. Please make another person an owner first.",
  "not-deactivated": "Deactivate this agent first.",
  "not-invited": "You can only send a new link to people who have been invited and have not joined yet.",
  "in-team-already": "A person with this email address is already in the team.",
  "email-twice": "This email address is in the list twice.",
  "agent-missing": "Please specify the agent who sends this.",
  "agent-or-query": "Please provide agent_id or agent_query.",

  "delivery-erased": "What this delivery was about has been erased.",
  "contact-held": "This contact is on hold: {reason}",
  "contact-being-erased": "This contact is being erased with its widget.",
  "spam-sender-held": "The sender of this email is on hold, so it is kept.",
  "widget-in-use":
    'Conversations of this widget: {conversations}, contacts: {contacts}. To erase them with it, send conversations: "erase".',
  "widget-contacts-held": "Contacts of this widget on hold: {count}. The first reason: {reason}",
  "widget-is-home": "The channel account {account} belongs to this widget. Please delete it first.",
  "name-taken": "This name is already taken.",
  "unknown-placeholder": "Unknown placeholder {placeholder}. Use one of: {known}.",
  "tag-name-taken": "A tag with this name already exists.",
  "tag-name-taken-mergeable": "A tag with this name already exists. You can merge the two.",
  "field-name-taken": "A field with this name already exists.",
  "too-many-saved-views": "You can have at most {max} of these.",
  "preferences-too-large": "This is too large to store.",

  "message-empty": "Please send content or at least one attachment.",
  "message-id-taken": "Another message already has this ID.",
  "conversation-resolved": "This conversation is resolved. Please reopen it first.",
  "conversation-not-resolved": "This conversation has not been resolved yet.",
  "snooze-time": "Must be a time in the future, within one year.",
  "snooze-until": "Please choose when it ends: at a set time, or when the visitor replies.",
  "visitor-wrote-meanwhile": "The visitor has written in the meantime.",
  "message-cursor":
    'Must be a number as a string, such as "41", from next_before_sort_number in an earlier response. Leave it out to get the newest messages.',

  "file-empty": "The file is empty.",
  "too-many-waiting-files": "Too many uploaded files are waiting to be sent. Please send a message with them first.",
  "not-a-sent-file": "Must be the URL of a file that was uploaded here.",
  "not-an-image": "Must be a PNG, JPEG, GIF, WebP or AVIF image.",

  "key-expired": "This time is in the past.",
  "scopes-above-role": "The role of this key's agent does not allow: {scopes}.",
  "no-such-names": "Unknown: {names}.",
  "account-connected": "This account is already connected.",
  "channel-cannot-send": "This channel has no mail server to send through. An admin can set one up.",
  "channel-deleted": "This channel has been deleted. Nothing more can be sent.",
  "channel-paused": "This channel is paused. An admin can activate it again.",
  "channel-needs-sign-in": "This channel must be signed in to again. An admin can do that.",
  "not-failed": "This message has not failed. Only what failed, or may not have arrived, can be sent again.",
  "failed-long-ago": "This message failed too long ago to be sent again. Please send a new one.",
  "no-mail-recipient": "No one in this conversation has an email address to reply to.",
  "not-emails": "These are not email addresses: {addresses}.",
  "own-mail-address": "This is an address of your own team.",
  "recipient-suppressed": "Emails to this address have bounced or were marked as spam. An admin can allow it again.",
  "mail-files-too-large": "The files are too large for an email. Together they can be up to {max} MB.",
  "mail-host": "Please enter a host name or an IP address, such as imap.example.com.",
  "host-not-allowed":
    "This host is in a private network. The operator of this server can allow it with CHANNEL_ALLOWED_NETWORKS.",
  "security-none":
    "Connections without encryption are allowed only to networks that the operator of this server lists in CHANNEL_ALLOWED_NETWORKS.",
  "oauth-password": "With OAuth there is no password. Leave it out, or set auth to password.",
  "oauth-tenant": "Please enter the tenant's ID or its domain, such as example.onmicrosoft.com.",
  "oauth-own-tenant": "Please enter your organization's tenant, by its ID or its domain.",
  "oauth-key":
    "This is no key of a service account. Please enter the whole JSON key file, or an RSA private key of at least 2048 bits in PEM form.",
  "sign-in-over": "This sign-in has expired or was started elsewhere. Start it again.",
  "oauth-required": "A server with auth oauth needs these settings.",
  "address-local-part": "The part before the @ can have at most {max} characters.",
  "no-such-widget": "Your team has no such widget.",
  "no-such-tag": "Your team has no such tag.",
  "ai-page-rule": '"{page}" must be a path like /pricing, or an address like https://www.example.com/pricing.',
  "no-such-channel": "Your team has no such channel.",
  "connection-revoked": "This connection is revoked. Create a new one.",
  "connected-by-app": "This is the connection of an app, which gets its tokens itself. Connect it again from the app.",
  "app-request": "This request of an app can no longer be answered. Start again from the app.",
  "confirmation-over": "This confirmation is invalid or has expired. Call again without it to get a new one.",
  "confirmation-mismatch":
    "This confirmation is for a different call. Repeat exactly what was confirmed, or call again without it.",
  "drafts-unsearched": "Search does not include drafts. Please leave out search or status.",
  "no-waiting-secret": "There is no new secret to activate. Create one with rotate.",
  "webhook-off": "This subscription is turned off. Set is_active to true first.",
  "not-an-endpoint": "Please send an https URL without a user name or password.",

  "identity-payload": "Its payload is not valid JSON, or contains characters that cannot be stored.",
  "identity-not-object": "Its payload must be a JSON object.",
  "identity-not-signed": "It must be a JWT, signed with HS256 and the identity secret of this widget.",
  "identity-expired": "This identity has expired. Please ask your server for a new one.",
  "identity-no-end": "It must have an expiry time (exp, in seconds).",
  "identity-too-long": "It can be valid for at most 24 hours. Its exp is later than that.",
  "identity-too-early": "It is not valid yet. Its nbf is in the future.",

  "widget-color": "Please enter the color as #rrggbb.",
  "widget-choice": "Please choose one of {choices}.",
  "widget-language": 'The widget is not available in "{language}".',
  "widget-greeting": "A greeting can have at most {max_title} characters in its title and {max_text} in its text.",
  "widget-too-many-sites": "A widget can have at most {max} websites.",
  "widget-site": '"{site}" must be a full address, like https://www.example.com.',
  "widget-too-many-fields": "Pages can set at most {max} fields.",
  "widget-field-name": "A field name must be one line of 1 to {max} characters, without leading or trailing spaces.",
  "hours-timezone": '"{timezone}" is not a time zone. Use one such as Europe/Berlin.',
  "hours-day": '"{day}" is not a day. Use {days}.',
  "hours-too-many": "{day}: A day can have at most {max} time ranges.",
  "hours-time": '{day}: "{time}" is not a time from 00:00 to 24:00.',
  "hours-backwards":
    "{day}: {from}-{to} ends before it begins. To go past midnight, use two ranges: until 24:00, and from 00:00 on the next day.",
  "hours-overlap": "{day}: Two time ranges overlap.",
  "hours-too-many-closed": "You can have at most {max} holidays.",
  "hours-closed-date": '"{date}" is not a date. Use the form 2026-12-25.',
} as const;

export const reasonText = {
  ...wholeText,
  ...notFoundText,
  ...obstacleText,
  ...httpText,
  ...schemaText,
  ...fieldText,
} as const;

export type ReasonName = keyof typeof reasonText;

/** The values that the sentence of a reason needs. */
type ValuesOf<Name extends ReasonName> = { readonly [Place in PlacesOf<(typeof reasonText)[Name]>]: string | number };

/** The reasons whose sentence has no values. */
export type PlainReasonName = {
  [Name in ReasonName]: PlacesOf<(typeof reasonText)[Name]> extends never ? Name : never;
}[ReasonName];

/** A reason with its values. */
export interface NamedReason {
  readonly name: ReasonName;
  readonly values?: PlaceValues;
}

/** A reason where something is refused: without values its name is enough. */
export type GivenReason = PlainReasonName | NamedReason;

/** `because("too-long", { max: 100 })` */
export function because<Name extends ReasonName>(name: Name, values: ValuesOf<Name>): NamedReason {
  return { name, values };
}

export function namedReason(given: GivenReason): NamedReason {
  return typeof given === "string" ? { name: given } : given;
}

/** The sentence of a reason, in English. */
export function sentenceOf(given: GivenReason): string {
  const { name, values = {} } = namedReason(given);
  return fillPlaces(reasonText[name], values);
}
