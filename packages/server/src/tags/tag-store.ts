import { sql } from "kysely";
import { every, statement, wholeRow } from "../storage/statement.ts";
import type { ConversationTagRow, TagRow } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}

const shownColumns = ["id", "name", "color"] as const satisfies (keyof TagRow)[];

/** The public part of a tag (decision 56). */
export type ShownTag = Pick<TagRow, (typeof shownColumns)[number]>;

export const insertTag = statement<TagRow>((db, param) => db.insertInto("tags").values(wholeRow(param, "tags")));

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
  db.insertInto("conversation_tags").values(wholeRow(param, "conversation_tags")),
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

// The team's tags, as an admin manages them

export const tagById = statement<OfTeam & { id: string }, ShownTag>((db, param) =>
  db.selectFrom("tags").select(shownColumns).where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** A tag, and how many conversations have it. */
export interface TagInUse extends ShownTag {
  conversations: number;
}

/** Every tag of the team with its use, oldest first. */
export const tagsInUse = statement<OfTeam, TagInUse>((db, param) =>
  db
    .selectFrom("tags")
    .leftJoin("conversation_tags", (join) =>
      join.onRef("conversation_tags.team_id", "=", "tags.team_id").onRef("conversation_tags.tag_id", "=", "tags.id"),
    )
    .select(["tags.id", "tags.name", "tags.color"])
    .select((row) => row.fn.count<number>("conversation_tags.conversation_id").as("conversations"))
    .where("tags.team_id", "=", param("team_id"))
    .groupBy(["tags.id", "tags.name", "tags.color"])
    .orderBy("tags.id"),
);

export const updateTagRow = statement<OfTeam & Pick<TagRow, "id" | "name" | "name_folded" | "color">>((db, param) =>
  db
    .updateTable("tags")
    .set(every(param, ["name", "name_folded", "color"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** A tag that no conversation has any more. */
export const deleteTagRow = statement<OfTeam & { id: string }>((db, param) =>
  db.deleteFrom("tags").where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** Replaces a tag by another one on its conversations, except for those that have both. */
export const giveOtherTag = statement<OfTeam & { tag_id: string; other_id: string }>((db, param) =>
  db
    .updateTable("conversation_tags")
    .set({ tag_id: param("other_id") })
    .where("team_id", "=", param("team_id"))
    .where("tag_id", "=", param("tag_id"))
    .where("conversation_id", "not in", (also) =>
      also
        .selectFrom("conversation_tags as both")
        .select("both.conversation_id")
        .where("both.team_id", "=", param("team_id"))
        .where("both.tag_id", "=", param("other_id")),
    ),
);

/** Removes a tag from every conversation. */
export const takeTagOff = statement<OfTeam & { tag_id: string }>((db, param) =>
  db.deleteFrom("conversation_tags").where("team_id", "=", param("team_id")).where("tag_id", "=", param("tag_id")),
);

/** Saved views of one tag become views of the other. */
export const showOtherTag = statement<OfTeam & { tag_id: string; other_id: string; pattern: string }>((db, param) =>
  db
    .updateTable("saved_views")
    .set({ query: sql<string>`replace(query, ${param("tag_id")}, ${param("other_id")})` })
    .where("team_id", "=", param("team_id"))
    .where("query", "like", param("pattern")),
);
