import { every, statement } from "../storage/statement.ts";
import type { ConversationTagRow, TagRow } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}

const shownColumns = ["id", "name", "color"] as const satisfies (keyof TagRow)[];

/** What is told of a tag (decision 56). */
export type ShownTag = Pick<TagRow, (typeof shownColumns)[number]>;

export const insertTag = statement<TagRow>((db, param) =>
  db.insertInto("tags").values(every(param, ["team_id", "id", "name", "name_folded", "color", "created_at"])),
);

export const tagByName = statement<OfTeam & { name_folded: string }, ShownTag>((db, param) =>
  db
    .selectFrom("tags")
    .select(shownColumns)
    .where("team_id", "=", param("team_id"))
    .where("name_folded", "=", param("name_folded")),
);

/** Every tag of the team, oldest first. */
export const allTags = statement<OfTeam, ShownTag>((db, param) =>
  db.selectFrom("tags").select(shownColumns).where("team_id", "=", param("team_id")).orderBy("id"),
);

export const insertConversationTag = statement<ConversationTagRow>((db, param) =>
  db.insertInto("conversation_tags").values(every(param, ["team_id", "conversation_id", "tag_id", "created_at"])),
);

/** The tags of several conversations, in the order in which the team got them. */
export const tagsOfConversations = statement<
  OfTeam & { conversation_ids: string },
  ShownTag & Pick<ConversationTagRow, "conversation_id">
>((db, param, dialect) =>
  db
    .selectFrom("conversation_tags")
    .innerJoin("tags", (join) =>
      join.onRef("tags.team_id", "=", "conversation_tags.team_id").onRef("tags.id", "=", "conversation_tags.tag_id"),
    )
    .select(["conversation_tags.conversation_id", "tags.id", "tags.name", "tags.color"])
    .where("conversation_tags.team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("conversation_tags.conversation_id"), param("conversation_ids")))
    .orderBy("tags.id"),
);

type OnConversation = OfTeam & Pick<ConversationTagRow, "conversation_id" | "tag_id">;

export const conversationTag = statement<OnConversation, ConversationTagRow>((db, param) =>
  db
    .selectFrom("conversation_tags")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("tag_id", "=", param("tag_id")),
);

export const deleteConversationTag = statement<OnConversation>((db, param) =>
  db
    .deleteFrom("conversation_tags")
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("tag_id", "=", param("tag_id")),
);
