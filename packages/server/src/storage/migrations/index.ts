import { foundation } from "./0001-foundation.ts";
import { tagsAndCustomData } from "./0002-tags-and-custom-data.ts";
import { webhookDeliveries } from "./0003-webhook-deliveries.ts";
import { knowledge } from "./0004-knowledge.ts";
import { assistants } from "./0005-assistants.ts";
import { visibleConversations } from "./0006-visible-conversations.ts";
import { queuedChangesInOrder } from "./0007-queued-changes-in-order.ts";
import { visitorChat } from "./0008-visitor-chat.ts";
import { widgetSettings } from "./0009-widget-settings.ts";
import { presence } from "./0010-presence.ts";
import { files } from "./0011-files.ts";
import { identity } from "./0012-identity.ts";
import { care } from "./0013-care.ts";
import { signedInAgents } from "./0014-signed-in-agents.ts";
import { inbox } from "./0015-inbox.ts";
import { widgetSeen } from "./0016-widget-seen.ts";
import { mailsToVisitors } from "./0017-mails-to-visitors.ts";
import { contactSearchByTeam } from "./0018-contact-search-by-team.ts";
import { channelAccounts } from "./0019-channel-accounts.ts";
import { outbox } from "./0020-outbox.ts";
import { timers } from "./0021-timers.ts";
import { causes } from "./0022-causes.ts";
import { episodes } from "./0023-episodes.ts";
import { widgetDirectory } from "./0024-widget-directory.ts";
import { triage } from "./0025-triage.ts";
import { searchFolding } from "./0026-search-folding.ts";
import { detailSources } from "./0027-detail-sources.ts";
import { heldReplies } from "./0028-held-replies.ts";
import { erasures } from "./0029-erasures.ts";
import { channelDoors } from "./0030-channel-doors.ts";
import { mails } from "./0031-mails.ts";
import { mailFolders } from "./0032-mail-folders.ts";
import { channelIndex } from "./0033-channel-index.ts";
import { outgoingMails } from "./0034-outgoing-mails.ts";
import { originals } from "./0035-originals.ts";
import { failedMails } from "./0036-failed-mails.ts";
import { mailGrants } from "./0037-mail-grants.ts";
import { spam } from "./0038-spam.ts";
import { sentFolders } from "./0039-sent-folders.ts";
import { waysIn } from "./0040-ways-in.ts";
import { appGrants } from "./0041-app-grants.ts";
import { sso } from "./0042-sso.ts";
import { namedReasons } from "./0043-named-reasons.ts";
import { searchedSubjects } from "./0044-searched-subjects.ts";
import { automaticMails } from "./0045-automatic-mails.ts";
import { forwards } from "./0046-forwards.ts";
import { builtInAi } from "./0047-built-in-ai.ts";
import { articleSources } from "./0048-article-sources.ts";
import { articleVectors } from "./0049-article-vectors.ts";
import { draftedWithAi } from "./0050-drafted-with-ai.ts";
import { conversationsWithAi } from "./0051-conversations-with-ai.ts";
import { aiEpisodes } from "./0052-ai-episodes.ts";
import { moreOfTheAi } from "./0053-more-of-the-ai.ts";
import type { Migration } from "./migration.ts";

/** Every migration, oldest first. Append only: a number that was released never changes. */
export const migrations: readonly Migration[] = [
  foundation,
  tagsAndCustomData,
  webhookDeliveries,
  knowledge,
  assistants,
  visibleConversations,
  queuedChangesInOrder,
  visitorChat,
  widgetSettings,
  presence,
  files,
  identity,
  care,
  signedInAgents,
  inbox,
  widgetSeen,
  mailsToVisitors,
  contactSearchByTeam,
  channelAccounts,
  outbox,
  timers,
  causes,
  episodes,
  widgetDirectory,
  triage,
  searchFolding,
  detailSources,
  heldReplies,
  erasures,
  channelDoors,
  mails,
  mailFolders,
  channelIndex,
  outgoingMails,
  originals,
  failedMails,
  mailGrants,
  spam,
  sentFolders,
  waysIn,
  appGrants,
  sso,
  namedReasons,
  searchedSubjects,
  automaticMails,
  forwards,
  builtInAi,
  articleSources,
  articleVectors,
  draftedWithAi,
  conversationsWithAi,
  aiEpisodes,
  moreOfTheAi,
];
