import { every, statement } from "../storage/statement.ts";
import type { ToolCallRow } from "../storage/tables.ts";

export const insertToolCall = statement<ToolCallRow>((db, param) =>
  db
    .insertInto("tool_calls")
    .values(
      every(param, [
        "team_id",
        "assistant_id",
        "id",
        "tool",
        "arguments",
        "outcome",
        "message",
        "duration_ms",
        "called_at",
      ]),
    ),
);

/** Of one connection, the newest first. */
export const toolCallPage = statement<
  { team_id: string; assistant_id: string; limit: number; offset: number },
  ToolCallRow
>((db, param) =>
  db
    .selectFrom("tool_calls")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("assistant_id", "=", param("assistant_id"))
    .orderBy("id", "desc")
    .limit(param("limit"))
    .offset(param("offset")),
);
