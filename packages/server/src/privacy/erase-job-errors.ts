import type { Storage } from "../storage/database.ts";
import { listParam } from "../storage/dialect.ts";
import { forgetJobErrors, jobErrors } from "./traces-store.ts";

/** Takes the reason from jobs that have gone wrong where it names someone: the answer of a mail server often names the address. */
export async function eraseJobErrors(
  storage: Storage,
  team_id: string,
  isNamed: (error: string) => boolean,
): Promise<void> {
  const errors = await storage.read((db) => db.all(jobErrors, { team_id }));
  const ids = errors.filter(({ last_error }) => isNamed(last_error)).map(({ id }) => id);
  if (ids.length > 0) await storage.write(team_id, (db) => db.run(forgetJobErrors, { team_id, ids: listParam(ids) }));
}
