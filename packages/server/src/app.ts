import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { AgentActor } from "./access/actor.ts";
import { createAuthentication } from "./access/authenticate.ts";
import { relyingPartyOf } from "./access/relying-party.ts";
import { unlockVault } from "./access/secret-key.ts";
import { createIdentityReader } from "./access/visitor-identity.ts";
import { getOwnProfile } from "./agents/get-own-profile.ts";
import { createAskCopilot } from "./ai/copilot/ask-copilot.ts";
import { summariseHandoffJob } from "./ai/handoff/summarise-handoff.ts";
import { modelNetwork } from "./ai/model/base-url.ts";
import { createModelClients } from "./ai/model/model-clients.ts";
import { createModelTest } from "./ai/settings/test-ai.ts";
import { countAiAway } from "./ai/turn/count-ai-away.ts";
import { releaseFromAiJob } from "./ai/turn/release.ts";
import { showDraft } from "./ai/turn/show-draft.ts";
import { createTurnWorker } from "./ai/turn/turn-worker.ts";
import { changeConversationJob } from "./assistants/change-conversation-job.ts";
import { checkReach } from "./authorization/check-reach.ts";
import { createClientDocuments } from "./authorization/client-document.ts";
import { issuerOf } from "./authorization/issuer.ts";
import { createResolveClient } from "./authorization/resolve-client.ts";
import { refuseUnfinishedRestore } from "./backup/unfinished-restore.ts";
import type { ChannelDrivers } from "./channels/channel-driver.ts";
import { createChannelReceiver } from "./channels/channel-receiver.ts";
import { type CheckAccount, tryChannelAccountJob } from "./channels/check-channel.ts";
import { accountOfDoorSecret } from "./channels/door-secret.ts";
import type { Settings } from "./config.ts";
import { endAllLeftPresence } from "./contacts/end-left-presence.ts";
import { notePresence } from "./contacts/note-presence.ts";
import type { Runtime } from "./context.ts";
import { getPresenceDetails } from "./conversations/get-presence-details.ts";
import { handOverConversationsJob } from "./conversations/hand-over-conversations.ts";
import { checkEmailAccount } from "./email/check-email-account.ts";
import { domainCheck } from "./email/check-mail-domain.ts";
import { createImapConnector } from "./email/imap/connect-imap.ts";
import { createImapReader } from "./email/imap/imap-reader.ts";
import { noteMailboxState } from "./email/imap/note-mailbox-state.ts";
import { type ImportParts, importMailJob, type ParseMail } from "./email/in/import-mail-job.ts";
import { createMailIntake, type TakeRawMail, type TakeRawMails, takeFetchedMails } from "./email/in/take-mail.ts";
import { createDelivery } from "./email/lmtp/deliver-mail.ts";
import { findRecipient } from "./email/lmtp/find-recipient.ts";
import { createLmtpServer } from "./email/lmtp/lmtp-server.ts";
import { createMailboxTokens } from "./email/oauth/mailbox-tokens.ts";
import { createTokenRequests } from "./email/oauth/token-requests.ts";
import { createEmailDriver } from "./email/out/email-driver.ts";
import { MailParser } from "./email/parse/parse-in-worker.ts";
import { createImageFetcher } from "./email/remote-images.ts";
import { createSentIntake } from "./email/sent/sent-intake.ts";
import { forgetAllOldSpam } from "./email/spam/forget-old-spam.ts";
import { type Bus, createBus } from "./events/bus.ts";
import { logEpoch } from "./events/log-epoch.ts";
import { readLog } from "./events/read-log.ts";
import { createDrafts } from "./files/drafts.ts";
import { filesUrl as filesUrlOf } from "./files/file-address.ts";
import { openFileStorage } from "./files/open-file-storage.ts";
import { createUploads } from "./files/receive-upload.ts";
import { createRemoval } from "./files/remove-unused-files.ts";
import { exportRoutes } from "./http/files/export-routes.ts";
import { fileRoutes } from "./http/files/file-routes.ts";
import { answerPrivateError } from "./http/framework/answer-error.ts";
import { healthRoutes } from "./http/framework/health-routes.ts";
import { createHttpServer } from "./http/framework/http-server.ts";
import { ownOriginOnly } from "./http/framework/own-origin.ts";
import { ownPage as ownPageOf } from "./http/framework/own-page.ts";
import { mailDoorRoutes } from "./http/inbound/mail-door-routes.ts";
import { ssoLogoutRoutes } from "./http/inbound/sso-logout-routes.ts";
import { oauthRoutes } from "./http/oauth/oauth-routes.ts";
import { dashboardRoutes } from "./http/pages/dashboard-routes.ts";
import { mailFrameRoutes } from "./http/pages/mail-frame-routes.ts";
import { ownDataRoutes } from "./http/pages/own-data-routes.ts";
import { referenceRoutes } from "./http/pages/reference-routes.ts";
import { widgetPageRoutes } from "./http/pages/widget-page-routes.ts";
import { apiKeyDoor } from "./http/rest/api-key-door.ts";
import { limitHeaders } from "./http/rest/limit-headers.ts";
import { REST_PREFIX, restApi, restOperations, SIGNED_IN_REST_PREFIX } from "./http/rest/rest-api.ts";
import { wrongKeyLimit } from "./http/rest/wrong-key-limit.ts";
import { agentDoor } from "./http/session/agent-door.ts";
import { beginSession } from "./http/session/begin-session.ts";
import { channelSessionRoutes } from "./http/session/channel-routes.ts";
import { connectSessionRoutes } from "./http/session/connect-routes.ts";
import { eitherDoor } from "./http/session/either-door.ts";
import { factorRoutes } from "./http/session/factor-routes.ts";
import { inboxDoor, inboxRoutes } from "./http/session/inbox-routes.ts";
import { mailSessionRoutes } from "./http/session/mail-routes.ts";
import { passkeyChallenges } from "./http/session/passkey-challenge.ts";
import { passkeyReader, passkeyRoutes } from "./http/session/passkey-routes.ts";
import { privacySessionRoutes } from "./http/session/privacy-routes.ts";
import { ownCookies } from "./http/session/session-cookie.ts";
import { sessionRoutes } from "./http/session/session-routes.ts";
import { setupRoutes } from "./http/session/setup-routes.ts";
import { sourceRoutes } from "./http/session/source-routes.ts";
import { spamRoutes } from "./http/session/spam-routes.ts";
import { ssoRoutes } from "./http/session/sso-routes.ts";
import { tagsAndFieldsRoutes } from "./http/session/tags-and-fields-routes.ts";
import { teamRoutes } from "./http/session/team-routes.ts";
import { toolDoor } from "./http/tools/tool-door.ts";
import { toolRoutes } from "./http/tools/tool-routes.ts";
import { visitorArticleRoutes } from "./http/visitor/visitor-article-routes.ts";
import { visitorDoor } from "./http/visitor/visitor-door.ts";
import { visitorFileRoutes } from "./http/visitor/visitor-file-routes.ts";
import { visitorRoutes } from "./http/visitor/visitor-routes.ts";
import { createCleanUp } from "./jobs/clean-up.ts";
import { createJobRunner } from "./jobs/job-runner.ts";
import { DocumentReader } from "./knowledge/documents/read-in-worker.ts";
import { createArticleImport } from "./knowledge/files/receive-article-file.ts";
import { hostPace } from "./knowledge/site/host-pace.ts";
import { readSiteJob } from "./knowledge/site/read-site-job.ts";
import { removeSiteJob } from "./knowledge/site/remove-site.ts";
import { createDraftFromConversation } from "./knowledge/suggested/draft-from-conversation.ts";
import { embedArticlesJob } from "./knowledge/vectors/embed-articles.ts";
import { createNearestPassages } from "./knowledge/vectors/nearest-passages.ts";
import { sharedLimits } from "./limits/shared-limits.ts";
import { ownLimits } from "./limits/sliding-window.ts";
import { createStrangerBounds } from "./limits/stranger-bounds.ts";
import { visitorRoom } from "./limits/visitor-room.ts";
import { createAiDrafts } from "./live/ai-drafts.ts";
import { createConversationViewers } from "./live/conversation-viewers.ts";
import { liveRoutes } from "./live/live-routes.ts";
import { createLiveStreams } from "./live/live-streams.ts";
import { createOwnReads } from "./live/own-reads.ts";
import { createPresence } from "./live/presence.ts";
import { createMailer, sendMailJob } from "./mail/send-mail.ts";
import { sendRepliesMailJob } from "./mail/send-replies-mail-job.ts";
import { type McpFixtures, mcpRoutes } from "./mcp/mcp-routes.ts";
import { createMetrics, type DeliveryBacklog } from "./metrics.ts";
import { channelHosts } from "./outbound/channel-hosts.ts";
import { type DomainRecords, domainRecords } from "./outbound/domain-records.ts";
import { type MailRecordsLookup, mailRecordsLookup } from "./outbound/mail-records.ts";
import { type NameLookup, nameLookup } from "./outbound/name-lookup.ts";
import { createOutbound } from "./outbound/outbound.ts";
import { vettedSockets } from "./outbound/vetted-socket.ts";
import { waitingItems } from "./outbox/outbox-store.ts";
import { createOutboxWorker } from "./outbox/outbox-worker.ts";
import type { Receiver, ReceiverKind } from "./outbox/receiver.ts";
import { createPerform, type Perform } from "./perform.ts";
import { applyRetentionJob } from "./privacy/apply-retention.ts";
import { type EraseParts, eraseJob } from "./privacy/erase-job.ts";
import { erasePace } from "./privacy/erase-pace.ts";
import { erasureLog } from "./privacy/erasure-log.ts";
import { exportJob } from "./privacy/export-job.ts";
import { mailOwnDataLinkJob } from "./privacy/own-data.ts";
import { recordErasure } from "./privacy/recorded-erasures.ts";
import { resumeAllErasures } from "./privacy/resume-erasures.ts";
import { noPubSub, redisPubSub } from "./pub-sub.ts";
import { createRuntime, follow, steadyClock } from "./runtime.ts";
import { presentMe } from "./sessions/present-me.ts";
import { createSignIn } from "./sessions/sign-in.ts";
import { getSetupState } from "./setup/setup-token.ts";
import { createOidcRequests } from "./sso/oidc-client.ts";
import { createSsoSignIn } from "./sso/sso-sign-in.ts";
import type { Storage } from "./storage/database.ts";
import { type FreeBytes, fitsOnDisk } from "./storage/disk-reserve.ts";
import { openStorage } from "./storage/open-storage.ts";
import { systemTimeouts, type Timeouts } from "./timeouts.ts";
import { timerHandlers } from "./timers/timer-handlers.ts";
import { createTimerWorker } from "./timers/timer-worker.ts";
import { createCallLog } from "./tools/call-log.ts";
import { createToolGate } from "./tools/tool-gate.ts";
import { createWebhookReceiver } from "./webhooks/webhook-receiver.ts";

/** One minute, the span of the documented rate limits. */
const RATE_WINDOW_MS = 60_000;
/** Requests of an API key to the inbox, a minute: as many as of a signed-in agent, or as of the REST API where that is more. */
const INBOX_RATE_LIMIT = 1_200;

export interface App {
  http: FastifyInstance;
  perform: Perform;
  bus: Bus;
  /** Takes a raw mail into an account, from the callback address, by IMAP or by LMTP. */
  takeRawMail: TakeRawMail;
  takeRawMails: TakeRawMails;
  /** Starts to listen and to work; returns the address. */
  start(): Promise<string>;
  /** Finishes what is under way (requests, jobs, commits), then closes everything, including the storage. */
  close(): Promise<void>;
}

/**
 * Opens the data and starts the service on it.
 *
 * @throws OperatorError when the data does not fit this program or its key
 */
export async function startApp(settings: Settings, logger: Logger): Promise<{ url: string; close(): Promise<void> }> {
  const storage = openStorage(settings);
  let app: App | undefined;
  try {
    await storage.check();
    await refuseUnfinishedRestore(storage);
    const clock = steadyClock(await storage.clock());
    const runtime = createRuntime(await unlockVault(settings, storage), Date.now, clock.now);
    const started = createApp({ settings, storage, runtime, logger });
    app = started;
    const url = await app.start();
    // SQLite has no other process to share a clock with: setting the machine's clock moves no wait.
    const leave = storage.engine === "postgres" ? follow(clock, storage.clock) : () => {};
    return { url, close: () => started.close().finally(leave) };
  } catch (error) {
    await (app ?? storage).close();
    throw error;
  }
}

/**
 * Puts the service together; the only place where its parts meet.
 *
 * @param storage migrated; the app closes it
 */
export function createApp(parts: {
  settings: Settings;
  storage: Storage;
  runtime: Runtime;
  logger: Logger;
  /**
   * Replaces the certificates, the name lookup and the timeout of webhooks, the first two of mail servers, and what the DNS says
   * of a domain's mail. `imageNetworks`: private networks that images of mails may come from; there are none outside of tests.
   */
  outbound?: {
    extraCa?: string;
    lookup?: NameLookup;
    mailRecords?: MailRecordsLookup;
    domainRecords?: DomainRecords;
    timeoutMs?: number;
    imageNetworks?: readonly string[];
  };
  /** More channel drivers than the product has. */
  channelDrivers?: ChannelDrivers;
  /** Replaces the reader of raw mails. */
  parseMail?: ParseMail;
  /** Replaces the timers of jobs, deliveries, the live stream and presence. */
  timeouts?: Timeouts;
  /** Replaces how free disk space is measured, so that a test need not fill a disk. */
  disk?: { free: FreeBytes };
  /** What MCP serves besides the tools, for the public conformance suite: only tests pass it in. */
  mcpFixtures?: McpFixtures;
}): App {
  const { settings, storage, runtime, logger, timeouts = systemTimeouts } = parts;
  const limits = settings.redisUrl
    ? sharedLimits({ redisUrl: settings.redisUrl, timeoutMs: settings.redisTimeoutMs, logger })
    : ownLimits();
  const bounds = createStrangerBounds({
    limits,
    factor: settings.visitorBoundsFactor,
    uploadMaxBytes: settings.uploadMaxBytes,
  });
  const metrics = createMetrics({
    ...{ backlog, redisAnswers: limits.redisAnswers, liveStreams: () => streams.open() },
    aiAway: () => countAiAway(storage, runtime.now()),
  });
  const pubSub = settings.redisUrl ? redisPubSub(settings.redisUrl) : noPubSub();
  const bus = createBus(pubSub);
  const mailer = settings.smtpUrl ? createMailer({ smtpUrl: settings.smtpUrl, from: settings.mailFrom }) : undefined;
  const eraseParts = (): EraseParts => ({
    storage,
    vault: runtime.vault,
    perform,
    record: (erasure) => recordErasure(storage, erasures, erasure),
    removeFiles: () => removeUnusedFiles(runtime.now(), () => true),
    pace: erasePace(runtime),
  });
  const hosts = channelHosts(settings.channelAllowedNetworks);
  const { extraCa, lookup, mailRecords = mailRecordsLookup() } = parts.outbound ?? {};
  const sockets = vettedSockets({ allowed: hosts.allowed, extraCa, lookup });
  const fileStorage = openFileStorage(settings);
  const mailParser = new MailParser({ timeouts });
  // A thread of its own: an agent who opens a mail does not wait for those that come in.
  const mailViewer = new MailParser({ timeouts });
  const siteReader = new DocumentReader({ timeouts });
  // A thread of its own: an agent who imports a file does not wait for the pages of sites.
  const fileReader = new DocumentReader({ timeouts });
  const sitePace = hostPace({ timeouts, now: runtime.steadyNow });
  const drafts = createDrafts(settings.dataDir);
  // Not what webhooks may reach: a team's provider may be where its mail server is.
  const tokenOutbound = createOutbound({ allowedNetworks: settings.channelAllowedNetworks, ...parts.outbound });
  const tokenRequests = createTokenRequests(tokenOutbound, runtime.now);
  const tokens = createMailboxTokens({ storage, runtime, timeouts, requests: tokenRequests });
  const emailDriver = createEmailDriver({
    ...{ perform: () => perform, drafts, fileStorage, sockets, smtpUrl: settings.smtpUrl },
    ...{ newId: runtime.newId, random: runtime.random, now: runtime.now, steadyNow: runtime.steadyNow },
    check: checkEmailAccount({ sockets, sendsMail: mailer !== undefined, tokens }),
    tokens,
    onTrouble: (error) => logger.warn({ err: error }, "Cannot remove a mail that was composed twice."),
  });
  // One a channel that replies are sent through; the website needs none.
  const channelDrivers: ChannelDrivers = new Map([[emailDriver.channel, emailDriver], ...(parts.channelDrivers ?? [])]);
  const checkAccount: CheckAccount = async ({ channel, account }, signal) =>
    (await channelDrivers.get(channel)?.check(account, signal)) ?? [];
  /** With the DNS of a mailbox's domain: what it lacks keeps no account from working, so it changes no state. */
  const checkWithDomain: CheckAccount = async (tried, signal) =>
    (await Promise.all([checkAccount(tried, signal), checkDomain(tried)])).flat();
  const models = createModelClients({
    ...{ allowedNetworks: settings.aiAllowedNetworks, operatorBaseUrl: settings.ai?.baseUrl },
    ...{ timeouts, extraCa, lookup, now: runtime.now, steadyNow: runtime.steadyNow },
    random: () => runtime.random(4).readUInt32BE() / 2 ** 32,
  });
  const testModel = createModelTest(models, runtime.random);
  const checkDomain = domainCheck(parts.outbound?.domainRecords ?? domainRecords());
  const importParts: ImportParts = {
    ...{ perform: () => perform, drafts, fileStorage, newId: runtime.newId },
    ...{ filesUrl: filesUrlOf(settings.publicUrl), parse: parts.parseMail ?? mailParser.readMail },
    onTrouble: (error) => logger.warn({ err: error }, "A mail could not be imported."),
  };
  const { imageNetworks = [] } = parts.outbound ?? {};
  // Not what webhooks may reach: strangers choose these addresses.
  const imageOutbound = createOutbound({ allowedNetworks: imageNetworks, ...parts.outbound });
  const jobs = createJobRunner({
    storage,
    runtime,
    vault: runtime.vault,
    handlers: {
      "send-mail": sendMailJob(mailer),
      "send-replies-mail": sendRepliesMailJob(mailer, () => perform),
      "change-conversation": changeConversationJob(storage, runtime.now, () => perform),
      "hand-over-conversations": handOverConversationsJob(() => perform),
      "release-from-ai": releaseFromAiJob(() => perform),
      "summarise-handoff": summariseHandoffJob({ perform: () => perform, askCopilot: () => askCopilot }),
      "try-channel-account": tryChannelAccountJob({ perform: () => perform, check: checkAccount }),
      "export-contact": exportJob({
        ...{ perform: () => perform, drafts, fileStorage },
        onTrouble: (error) => logger.warn({ err: error }, "An export has failed."),
      }),
      "mail-own-data-link": mailOwnDataLinkJob(() => perform),
      "read-site": readSiteJob({ perform: () => perform, ask: imageOutbound.ask, reader: siteReader, pace: sitePace }),
      "remove-site": removeSiteJob(() => perform),
      "import-mail": importMailJob(importParts, "stored"),
      "import-sent-mail": importMailJob(importParts, "sent"),
      "embed-articles": embedArticlesJob({ perform: () => perform, clients: models }),
      erase: eraseJob(eraseParts),
      "apply-retention": applyRetentionJob(eraseParts),
    },
    logger,
    timeouts,
    onEnd: metrics.jobEnded,
  });
  const erasures = erasureLog(settings.dataDir, runtime.vault);
  const removeUnusedFiles = createRemoval({ storage, fileStorage, drafts });
  const cleanUp = createCleanUp({
    ...{ storage, now: runtime.now, logger, removeUnusedFiles },
    resumeErasures: (before) => resumeAllErasures({ storage, perform }, before),
    forgetOldSpam: (before, goOn) => forgetAllOldSpam({ storage, perform }, before, goOn),
  });
  const outbound = createOutbound({ allowedNetworks: settings.webhookAllowedNetworks, ...parts.outbound });
  const ssoOutbound = createOutbound({ allowedNetworks: settings.ssoAllowedNetworks, ...parts.outbound });
  const oidcRequests = createOidcRequests(ssoOutbound, runtime.now);
  const issuer = issuerOf(settings.publicUrl);
  // As images of mails: strangers choose these addresses, too.
  const documents = settings.oauthClientDocuments ? createClientDocuments(imageOutbound, runtime.now) : undefined;
  const resolveClient = createResolveClient(runtime.vault, documents);
  const reachDoor = { addressesOf: lookup ?? nameLookup({ own: false }), ask: imageOutbound.ask };
  const receivers: Record<ReceiverKind, Receiver> = {
    webhook: createWebhookReceiver({
      outbound,
      runtime,
      waits: settings.webhookRetryWaits,
      onAttempt: metrics.webhookAttempt,
    }),
    channel: createChannelReceiver({ drivers: channelDrivers, runtime, news: bus.publish }),
  };
  const outbox = createOutboxWorker({ storage, runtime, receivers, logger, timeouts });
  const sendsMail = mailer !== undefined;
  const perform: Perform = createPerform(
    storage,
    {
      ...{ ...runtime, sendsMail, publicUrl: settings.publicUrl },
      ...{ sendingChannels: new Set(channelDrivers.keys()), channelHosts: hosts },
      ...{ operatorModel: settings.ai, modelNetwork: modelNetwork(settings) },
    },
    {
      news: bus.publish,
      jobs: jobs.wake,
      outbox: outbox.wake,
      haltQueue: outbox.halt,
      timers: (dueAt) => timers.wake(dueAt),
      turns: (teamId, dueAt, asked) => turns.wake(teamId, dueAt, asked),
    },
  );
  const timers = createTimerWorker({
    storage,
    runtime,
    perform,
    handlers: timerHandlers,
    logger,
    timeouts,
    onEnd: metrics.timerEnded,
  });
  const filesUrl = filesUrlOf(settings.publicUrl);
  const receiveUpload = createUploads({
    perform,
    drafts,
    fileStorage,
    maxBytes: settings.uploadMaxBytes,
    filesUrl,
    onStored: metrics.fileStored,
    onTrouble: (error) => logger.warn({ err: error }, "Cannot remove the rest of an incomplete upload."),
  });
  const mailIntake = createMailIntake({
    ...{ perform, drafts, fileStorage, newId: runtime.newId },
    onTrouble: (error) => logger.warn({ err: error }, "Cannot remove a mail that was known."),
  });
  const { takeRawMail, takeRawMails } = mailIntake;
  const imap = createImapReader({
    ...{ storage, runtime, timeouts, logger },
    connect: createImapConnector(sockets, tokens),
    take: takeFetchedMails(mailIntake, logger),
    sent: createSentIntake({ perform, takeRawMails, logger }),
    note: noteMailboxState(perform),
  });
  const lmtp =
    settings.lmtpPort === undefined
      ? undefined
      : createLmtpServer({
          ...{ host: settings.lmtpHost, port: settings.lmtpPort, timeouts, logger },
          recipientOf: (address) => findRecipient(storage, address),
          deliver: createDelivery({
            ...{ takeRawMail, drafts, newId: runtime.newId },
            onTrouble: (error) => logger.warn({ err: error }, "A mail that came over LMTP could not be stored."),
          }),
        });
  const http = createHttpServer({ logger, trustProxy: settings.trustProxy, onAnswer: metrics.httpAnswer });
  let stopping = false;

  const authenticate = createAuthentication(storage, runtime.now, (error) =>
    logger.warn({ err: error }, "Cannot record the last use of a key or token."),
  );
  const wrongKey = wrongKeyLimit(bounds);
  http.decorateRequest("actor");
  const restLimit = limitHeaders(limits.limiter("rest", settings.restRateLimit, RATE_WINDOW_MS));
  const keyDoor = apiKeyDoor({ authenticate, wrongKey, limit: restLimit });
  const askCopilot = createAskCopilot({ perform, models });
  const restServices = {
    ...{ perform, publicUrl: settings.publicUrl, mail: sendsMail },
    ...{
      receiveUpload,
      fileStorage,
      askCopilot,
      checkAccount: checkWithDomain,
      testModel,
    },
  };
  http.register(restApi, {
    prefix: REST_PREFIX,
    ...restServices,
    door: keyDoor,
  });
  const cookies = ownCookies(settings.publicUrl);
  const ownPage = ownPageOf(settings.publicUrl);
  const enter = agentDoor({ authenticate, cookie: cookies.session, ownPage, limits });
  const sessions = beginSession({ perform, authenticate, cookies });
  const me = async (agent: AgentActor) =>
    presentMe(await perform(agent, getOwnProfile, {}), { mail: sendsMail, reach: agent.reach });
  const relyingParty = relyingPartyOf(settings.publicUrl);
  const challenges = passkeyChallenges({ ...runtime, cookie: cookies.challenge });
  const readPasskey = passkeyReader({ perform, challenges, relyingParty });
  const signIn = createSignIn({
    storage,
    perform,
    onFailure: (error) => logger.warn({ err: error }, "A failed sign-in or a password reset request was lost."),
  });
  const sso = createSsoSignIn({
    ...{ storage, perform, requests: oidcRequests, vault: runtime.vault },
    ...{ now: runtime.now, random: runtime.random, publicUrl: settings.publicUrl },
  });
  const forAgents = { perform, door: enter, ownPage, publicUrl: settings.publicUrl, mail: sendsMail };
  const epoch = logEpoch(storage, runtime.newId);
  const ownReads = createOwnReads(pubSub, runtime.newId());
  const inboxKeys = limitHeaders(
    limits.limiter("inbox", Math.max(INBOX_RATE_LIMIT, settings.restRateLimit), RATE_WINDOW_MS),
  );
  const inbox = inboxDoor(enter, apiKeyDoor({ authenticate, wrongKey, limit: inboxKeys }));
  const setupState = (token: string) => perform({ kind: "system", teamId: runtime.newId() }, getSetupState, { token });
  const ownOrigin = ownOriginOnly(settings.publicUrl);
  // Everything below /app/api.
  http.register(async (dashboardApi) => {
    dashboardApi.setErrorHandler(answerPrivateError);
    dashboardApi.addHook("onRequest", async (request) => ownOrigin(request));
    dashboardApi.register(restOperations, { prefix: SIGNED_IN_REST_PREFIX, ...restServices, door: enter });
    dashboardApi.register(sessionRoutes, {
      ...{ ...forAgents, authenticate, signIn, sessions, cookies, bounds },
      ...{ now: runtime.now, me },
    });
    dashboardApi.register(factorRoutes, {
      ...{ ...forAgents, sessions, cookies, bounds, now: runtime.now, me },
      ...{ readPasskey, hasPasskeys: relyingParty !== undefined },
    });
    dashboardApi.register(passkeyRoutes, {
      ...{ ...forAgents, sessions, cookies, bounds, now: runtime.now, me },
      ...{ challenges, readPasskey, relyingParty },
    });
    dashboardApi.register(ssoRoutes, {
      ...{ ...forAgents, authenticate, sso, requests: oidcRequests, signIn, sessions, cookies, bounds },
      now: runtime.now,
      records: parts.outbound?.domainRecords ?? domainRecords(),
    });
    dashboardApi.register(setupRoutes, { ...forAgents, setupState, newId: runtime.newId, sessions, me });
    dashboardApi.register(teamRoutes, forAgents);
    dashboardApi.register(tagsAndFieldsRoutes, forAgents);
    dashboardApi.register(sourceRoutes, {
      ...forAgents,
      receiveArticleFile: createArticleImport({ perform, reader: fileReader, now: runtime.now }),
      draftFromConversation: createDraftFromConversation({ perform, askCopilot }),
    });
    dashboardApi.register(privacySessionRoutes, forAgents);
    dashboardApi.register(mailSessionRoutes, {
      ...{ perform, door: enter, ownPage, fileStorage, fetchImage: createImageFetcher(imageOutbound) },
      readHtml: (load) => mailViewer.readHtml(load),
    });
    dashboardApi.register(channelSessionRoutes, {
      ...{ ...forAgents, mailRecords, tokenRequests, checkAccount: checkWithDomain },
    });
    dashboardApi.register(connectSessionRoutes, {
      ...{ ...forAgents, issuer, bounds, resolveClient, now: runtime.now },
      checkReach: (issuerUrl) => checkReach(issuerUrl, reachDoor),
    });
    dashboardApi.register(inboxRoutes, { perform, door: inbox, ownPage, epoch, onOwnRead: ownReads.publish });
    dashboardApi.register(spamRoutes, {
      ...{ perform, door: inbox, ownPage, fileStorage },
      readMail: (load) => mailViewer.readStored(load),
    });
  });
  const callLog = createCallLog({ perform, logger });
  const callTool = createToolGate({ perform, log: callLog, now: runtime.now });
  const door = toolDoor({
    publicUrl: settings.publicUrl,
    issuer,
    authenticate,
    wrongKey,
    bounds,
    limit: limitHeaders(limits.limiter("tool", settings.toolRateLimit, RATE_WINDOW_MS)),
  });
  http.register(toolRoutes, { door, callTool });
  http.register(mcpRoutes, {
    door,
    callTool,
    authenticate,
    timeouts,
    now: runtime.now,
    accessVersion: () => storage.version("access"),
    fixtures: parts.mcpFixtures,
  });
  if ("url" in issuer) {
    http.register(oauthRoutes, {
      ...{ issuer: issuer.url, takesDocuments: documents !== undefined, perform, bounds, resolveClient },
      ...{ vault: runtime.vault, now: runtime.now },
    });
  }
  const readIdentity = createIdentityReader(storage, runtime.vault, runtime.now);
  const visitorEnter = visitorDoor({ authenticate, bounds });
  const fits = () => fitsOnDisk(settings.dataDir, 0, parts.disk?.free);
  const room = visitorRoom({ fits: storage.engine === "sqlite" ? fits : undefined, logger });
  http.register(async (visitorApi) => {
    visitorApi.setErrorHandler(answerPrivateError);
    visitorApi.register(visitorRoutes, { perform, door: visitorEnter, readIdentity, bounds, room, epoch, filesUrl });
    visitorApi.register(visitorArticleRoutes, { perform, authenticate, bounds });
    visitorApi.register(visitorFileRoutes, {
      door: visitorEnter,
      receiveUpload,
      bounds,
      maxBytes: settings.uploadMaxBytes,
    });
  });
  http.register(fileRoutes, { perform, fileStorage });
  http.register(mailDoorRoutes, {
    ...{ takeRawMail, bounds },
    accountOfDoorSecret: (secret) => accountOfDoorSecret(storage, secret),
  });
  http.register(ssoLogoutRoutes, { perform, sso, bounds });
  http.register(exportRoutes, { perform, fileStorage, door: eitherDoor(enter, keyDoor) });
  const fileMax = settings.uploadMaxBytes;
  const widgetPages = { perform, authenticate, bounds, publicUrl: settings.publicUrl, fileMax, mail: sendsMail };
  http.register(widgetPageRoutes, widgetPages);
  http.register(ownDataRoutes, { perform, authenticate, bounds, fileStorage, publicUrl: settings.publicUrl });
  const presence = createPresence({
    pubSub,
    processId: runtime.newId(),
    now: runtime.now,
    steadyNow: runtime.steadyNow,
    timeouts,
    alone: storage.engine === "sqlite",
    note: (teamId, note) => perform({ kind: "system", teamId }, notePresence, note),
    endLeft: (before) => endAllLeftPresence({ storage, perform }, before),
    presenceDetails: (teamId, asked) => perform({ kind: "system", teamId }, getPresenceDetails, asked),
    onTrouble: (error) => logger.warn({ err: error }, "Cannot record who is online."),
    onVisitorTypes: (conversationId, isTyping) => turns.visitorTypes(conversationId, isTyping),
  });
  const conversationViewers = createConversationViewers({
    pubSub,
    processId: runtime.newId(),
    presenceDetails: (teamId, asked) => perform({ kind: "system", teamId }, getPresenceDetails, asked),
  });
  const aiDrafts = createAiDrafts({
    ...{ pubSub, processId: runtime.newId(), now: runtime.now },
    showDraft: (teamId, of) => perform({ kind: "system", teamId }, showDraft, of),
  });
  const turns = createTurnWorker({
    ...{ storage, runtime, perform, bus, logger, timeouts, clients: models },
    nearestPassages: createNearestPassages({
      ...{ perform: () => perform, clients: models, timeouts, steadyNow: runtime.steadyNow },
    }),
    types: presence.agentTypes,
    shows: aiDrafts.publish,
    onEnd: metrics.aiTurnEnded,
  });
  const streams = createLiveStreams({
    readLog: (teamId, request) => perform({ kind: "system", teamId }, readLog, request),
    bus,
    presence,
    conversationViewers,
    ownReads,
    aiDrafts,
    epoch,
    authenticate,
    wrongKey,
    bounds,
    timeouts,
    accessVersion: () => storage.version("access"),
    now: runtime.now,
    logger,
    onSent: metrics.liveEvents,
  });
  http.register(liveRoutes, { streams, ownOrigin, ownPage, cookie: cookies.session, limits, bounds, timeouts, epoch });
  http.register(dashboardRoutes, { publicUrl: settings.publicUrl, setupState });
  http.register(mailFrameRoutes);
  http.register(referenceRoutes, { publicUrl: settings.publicUrl });
  http.register(healthRoutes, { storage, metrics, stopping: () => stopping });

  return {
    http,
    perform,
    bus,
    ...{ takeRawMail, takeRawMails },
    async start() {
      erasures.keepReadable();
      await limits.open();
      pubSub.open();
      await http.listen({ host: settings.host, port: settings.port });
      await lmtp?.start();
      jobs.start();
      timers.start();
      cleanUp.start();
      outbox.start();
      turns.start();
      imap.start();
      presence.start();
      const { port } = http.server.address() as AddressInfo;
      return `http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${port}`;
    },
    async close() {
      stopping = true;
      await Promise.all([http.close(), lmtp?.stop()]);
      streams.stop();
      await presence.stop();
      await imap.stop();
      await turns.stop();
      await Promise.all([jobs.stop(), timers.stop(), cleanUp.stop(), outbox.stop(), callLog.stop()]);
      await Promise.all([mailParser.close(), mailViewer.close(), siteReader.close(), fileReader.close()]);
      models.close();
      outbound.close();
      imageOutbound.close();
      ssoOutbound.close();
      tokenOutbound.close();
      pubSub.close();
      limits.close();
      await storage.close();
    },
  };

  async function backlog(): Promise<DeliveryBacklog> {
    const { waiting = 0, due_since = null } = (await storage.first(waitingItems, { receiver: "webhook" })) ?? {};
    return { waiting, oldestSeconds: due_since === null ? 0 : Math.max(0, runtime.now() - due_since) / 1_000 };
  }
}
