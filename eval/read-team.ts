/** Reads a team's articles and resolved conversations from the operator's data. Nothing is written there. */
import { readAiState } from "@frontdesk/core/domain/ai/ai-state";
import { withoutDetails } from "@frontdesk/core/domain/ai/article-draft";
import type { SentVia } from "@frontdesk/core/domain/conversation";
import { replierOf } from "@frontdesk/core/domain/episode";
import { readWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { aiOfTeam } from "@frontdesk/server/ai/settings/ai-settings-store";
import { chooseTeam } from "@frontdesk/server/cli/choose-team";
import { dataMayBeThere, withDataAsItIs } from "@frontdesk/server/cli/open-data";
import { readSettings } from "@frontdesk/server/config";
import { contactsByIds } from "@frontdesk/server/contacts/contact-store";
import { type ChatMessage, withWhatIsShown } from "@frontdesk/server/conversations/chat-message";
import { conversationPage, conversationsByIds } from "@frontdesk/server/conversations/conversation-store";
import { messagesBefore } from "@frontdesk/server/conversations/message-store";
import { publishedArticles } from "@frontdesk/server/knowledge/passage-store";
import { OperatorError } from "@frontdesk/server/operator-error";
import type { Database, Storage } from "@frontdesk/server/storage/database";
import { listParam } from "@frontdesk/server/storage/dialect";
import type { ConversationRow } from "@frontdesk/server/storage/tables";
import { widgetById } from "@frontdesk/server/widgets/widget-store";
import { agentReply, type WrittenMessage } from "./agent-reply.ts";
import type { Article } from "./question.ts";
import type { OwnSettings } from "./temporary-app.ts";

/** What was asked and said in a resolved conversation, without the details of people. */
export interface Replay {
  conversationId: string;
  question: string;
  reply: string;
}

export interface TeamData {
  articles: Article[];
  /** The newest first. */
  replays: Replay[];
  own: OwnSettings;
}

const CONVERSATIONS_AT_ONCE = 100;
/** Of a longer conversation the beginning is not read, and it is left out. */
const MESSAGES_MAX = 500;
/** As long as a message of a visitor may be. */
const QUESTION_MAX = 10_000;

/**
 * @param env the settings of the installation: DATA_DIR or DATABASE_URL
 * @param limit how many conversations; 0 for the articles alone
 * @throws OperatorError when the data cannot be opened, has several teams of which none is named, or nothing to ask
 */
export function readTeam(
  env: NodeJS.ProcessEnv,
  { team, limit }: { team: string | undefined; limit: number },
): Promise<TeamData> {
  const settings = readSettings(env);
  if (!dataMayBeThere(settings)) {
    throw new OperatorError(`There is no data in ${settings.dataDir}. Set DATA_DIR or DATABASE_URL as for the server.`);
  }
  return withDataAsItIs(settings, async (storage) => {
    await storage.check();
    const { teamId } = await chooseTeam(storage, team);
    const rows = await storage.read((db) => db.all(publishedArticles, { team_id: teamId }));
    if (rows.length === 0) throw new OperatorError("The team has no published article.");
    const articles = rows.map(({ id, question, answer, address }) => ({
      ...{ id, question, answer },
      ...(address !== null && { address }),
    }));
    const { replays, widgetId } = await readReplays(storage, teamId, limit);
    return { articles, replays, own: await ownSettings(storage, teamId, widgetId) };
  });
}

/** Also the widget of the newest of them. */
async function readReplays(storage: Storage, teamId: string, limit: number) {
  const replays: Replay[] = [];
  let widgetId: string | undefined;
  for (let offset = 0; replays.length < limit; offset += CONVERSATIONS_AT_ONCE) {
    const page = { team_id: teamId, is_resolved: 1, before: Number.MAX_SAFE_INTEGER };
    const read = await storage.read(async (db) => {
      const listed = await db.all(conversationPage, { ...page, limit: CONVERSATIONS_AT_ONCE, offset });
      const ids = listParam(listed.map(({ id }) => id));
      const whole = await db.all(conversationsByIds, { team_id: teamId, conversation_ids: ids });
      const byId = new Map(whole.map((row) => [row.id, row]));
      const conversations = listed.flatMap(({ id }) => byId.get(id) ?? []);
      return Promise.all(conversations.map(async (each) => ({ each, replay: await replayOf(db, each) })));
    });
    for (const { each, replay } of read) {
      if (!replay || replays.length === limit) continue;
      replays.push(replay);
      widgetId ??= each.widget_id;
    }
    if (read.length < CONVERSATIONS_AT_ONCE) break;
  }
  return { replays, widgetId };
}

/** Of the conversation's last episode, since the AI knows no earlier one either. */
async function replayOf(db: Database, conversation: ConversationRow): Promise<Replay | undefined> {
  const { team_id, id, contact_id } = conversation;
  const all = await db.all(messagesBefore, {
    ...{ team_id, conversation_id: id, before: Number.MAX_SAFE_INTEGER },
    ...{ types: listParam(["message"]), limit: MESSAGES_MAX },
  });
  const { from } = readAiState(conversation.ai_state);
  const since = conversation.reopened_at ?? conversation.created_at;
  const ofEpisode = all.filter(({ sort_number, created_at }) =>
    from === null ? created_at >= since : sort_number >= from,
  );
  if (ofEpisode.length === MESSAGES_MAX) return undefined;
  const shown = await withWhatIsShown({ db, teamId: team_id }, ofEpisode.toReversed());
  const found = agentReply(shown.flatMap(writtenMessage));
  if (!found || found.question.length > QUESTION_MAX) return undefined;
  const contacts = await db.all(contactsByIds, { team_id, contact_ids: listParam([contact_id]) });
  const people = [...contacts.map(({ name }) => name), ...shown.map(({ agent }) => agent?.name)];
  const names = [...new Set(people.filter((name) => name !== null && name !== undefined))];
  return {
    conversationId: id,
    question: withoutDetails(found.question, names),
    reply: withoutDetails(found.reply, names),
  };
}

function writtenMessage({ message, attachments }: ChatMessage): WrittenMessage[] {
  const replier = message.agent_id === null ? "visitor" : replierOf(message.sent_via as SentVia);
  if (replier === undefined || message.content === null) return [];
  const by = replier === "human" ? "agent" : replier;
  return [{ by, text: message.content, hasFiles: attachments.length > 0 }];
}

/** The owner's rules, and of a widget what an answer may rest on and link to. */
async function ownSettings(storage: Storage, teamId: string, widgetId: string | undefined): Promise<OwnSettings> {
  const [ai, widget] = await storage.read((db) =>
    Promise.all([
      db.first(aiOfTeam, { team_id: teamId }),
      widgetId === undefined ? undefined : db.first(widgetById, { team_id: teamId, id: widgetId }),
    ]),
  );
  const { hours, sites } = readWidgetSettings(widget?.settings ?? null);
  return { instructions: ai?.instructions ?? "", widget: { sites, ...(hours && { hours }) } };
}
