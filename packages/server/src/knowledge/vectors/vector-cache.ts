import type { SystemActor } from "../../access/actor.ts";
import type { Operation } from "../../context.ts";
import type { Perform } from "../../perform.ts";
import type { ArticleVectorRow, ArticleVectorVersionRow } from "../../storage/tables.ts";
import { readVector } from "./vector.ts";
import { vectorsFrom, vectorVersions } from "./vector-store.ts";

/** A vector in memory. */
export interface HeldVector {
  articleId: string;
  passage: number;
  fingerprint: string;
  vector: Float32Array;
}

interface HeldTeam {
  version: number;
  removedVersion: number;
  floor: Pick<Versions, "floor" | "floor_by">;
  vectors: Map<string, HeldVector>;
  bytes: number;
}

type Versions = Omit<ArticleVectorVersionRow, "team_id">;

/** How many rows are read at once; more than one commit stores. */
const ROWS_AT_ONCE = 500;
/** Besides its numbers: ids, fingerprint, the entry of the map. */
const ENTRY_BYTES = 300;

/**
 * The vectors of the teams that ask, in the memory of this process: those that have not asked for longest go when there are too many. What is
 * there is compared with the database in each call, so that another process's changes count at once; only newer rows are read, all of them
 * where some were removed.
 */
export function createVectorCache({ perform, maxBytes }: { perform: () => Perform; maxBytes: number }) {
  /** The one that asked last is the last. */
  const teams = new Map<string, HeldTeam>();
  const loading = new Map<string, Promise<HeldTeam>>();

  return {
    async vectorsOf(teamId: string): Promise<{ vectors: HeldVector[]; floor: HeldTeam["floor"] }> {
      const load = loading.get(teamId) ?? loadTeam(teamId).finally(() => loading.delete(teamId));
      loading.set(teamId, load);
      const team = await load;
      teams.delete(teamId);
      teams.set(teamId, team);
      dropOldest();
      return { vectors: [...team.vectors.values()], floor: team.floor };
    },
  };

  async function loadTeam(teamId: string): Promise<HeldTeam> {
    const system: SystemActor = { kind: "system", teamId };
    const held = teams.get(teamId);
    const { versions, rows: first } = await perform()(system, readVectors, { from: (held?.version ?? 0) + 1 });
    const isWhole = !held || versions.removed_version > held.removedVersion;
    const team: HeldTeam = isWhole
      ? { version: 0, removedVersion: 0, floor: versions, vectors: new Map(), bytes: 0 }
      : { ...held, floor: versions };
    let rows = isWhole && held ? (await perform()(system, readVectors, { from: 1 })).rows : first;
    for (;;) {
      for (const row of rows) take(team, row);
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_AT_ONCE) break;
      rows = (await perform()(system, readVectors, { from: last.version })).rows;
    }
    team.version = versions.version;
    team.removedVersion = versions.removed_version;
    return team;
  }

  function take(team: HeldTeam, { article_id: articleId, passage, fingerprint, vector: stored }: StoredVector): void {
    const key = `${articleId} ${passage}`;
    const before = team.vectors.get(key);
    const vector = readVector(stored);
    team.vectors.set(key, { articleId, passage, fingerprint, vector });
    team.bytes += vector.byteLength - (before ? before.vector.byteLength : -ENTRY_BYTES);
  }

  function dropOldest(): void {
    let bytes = 0;
    for (const team of teams.values()) bytes += team.bytes;
    for (const [teamId, team] of teams) {
      if (bytes <= maxBytes || teams.size === 1) return;
      teams.delete(teamId);
      bytes -= team.bytes;
    }
  }
}

type StoredVector = Omit<ArticleVectorRow, "team_id">;

/** The next vectors from a version on, and the versions of the team. */
export const readVectors: Operation<{ from: number }, { versions: Versions; rows: StoredVector[] }> = {
  name: "read-vectors",
  mode: "read",
  async run(ctx, { from }) {
    const [versions, rows] = await Promise.all([
      ctx.db.first(vectorVersions, { team_id: ctx.teamId }),
      ctx.db.all(vectorsFrom, { team_id: ctx.teamId, version: from, limit: ROWS_AT_ONCE }),
    ]);
    return { versions: versions ?? { version: 0, removed_version: 0, floor: null, floor_by: null }, rows };
  },
};
