/** The questions of forms with unsaved changes, for what leaves them without a navigation. */
const questions = new Set<() => Promise<boolean>>();

/** @param ask resolves to whether the changes may be lost. Returns how to remove it. */
export function guardUnsaved(ask: () => Promise<boolean>): () => void {
  questions.add(ask);
  return () => void questions.delete(ask);
}

/** Asks about every form with unsaved changes; false when the agent keeps editing one. */
export async function mayLoseUnsaved(): Promise<boolean> {
  for (const ask of questions) if (!(await ask())) return false;
  return true;
}
