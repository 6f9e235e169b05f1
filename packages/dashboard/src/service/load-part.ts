import { serviceAnswers, whenConnected, whenServiceAnswers } from "./service-answers.ts";

/** A file that can't be loaded although the service answers: it belongs to another version. */
export class MissingPart extends Error {
  constructor(cause: unknown) {
    // The router recognizes the browser's message, and loads the page anew.
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "MissingPart";
  }
}

/** How often in a row a file is missing, with the service there, until it is given up. */
const TRIES = 2;

/**
 * Loads a part of the dashboard that has a file of its own: every `import()` goes through it. Without a connection it
 * waits: browsers before 2026 keep a failed `import()` for as long as the page is open. Throws `MissingPart`.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let missing = 0; ; ) {
    await whenConnected();
    try {
      return await load();
    } catch (error) {
      missing = (await serviceAnswers()) ? missing + 1 : 0;
      if (missing === TRIES) throw new MissingPart(error);
      await whenServiceAnswers();
    }
  }
}

/** Before it is needed. Never fails: when it is needed, a part that is missing is loaded again. */
export async function preloadPart(load: () => Promise<unknown>): Promise<void> {
  await loadPart(load).catch(() => {});
}
