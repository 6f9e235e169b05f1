import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import type { ErasureRow } from "../storage/tables.ts";
import { erasureById } from "./erasure-store.ts";

/** @throws Refusal `not-found` */
export const getErasure: Operation<{ erasureId: string }, ErasureRow> = {
  name: "get-erasure",
  mode: "read",
  async run(ctx, { erasureId }) {
    const id = canonicalId(erasureId);
    const erasure = id && (await ctx.db.first(erasureById, { team_id: ctx.teamId, id }));
    if (!erasure) throw notFound("erasure");
    return erasure;
  },
};
