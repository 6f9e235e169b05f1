/** What one check found. */
export interface Check {
  name: string;
  /**
   * `ok`; `note`: nothing to do, but good to know; `warning`: works, and should be corrected; `problem`: does not work, or will
   * soon not.
   */
  state: "ok" | "note" | "warning" | "problem";
  /** The finding, in a sentence. */
  says: string;
  /** What to do about it. */
  do?: string;
}

/** The check's finding, or that it failed: the message of its error. */
export async function attempt(name: string, check: () => Check | Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    return failed(name, error);
  }
}

/** The same of a check with several findings, or none. */
export async function attemptAll(name: string, check: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await check();
  } catch (error) {
    return [failed(name, error)];
  }
}

function failed(name: string, error: unknown): Check {
  const says = error instanceof Error ? error.message : String(error);
  return { name, state: "problem", says };
}
