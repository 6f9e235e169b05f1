import type { PresenceNote } from "../contacts/note-presence.ts";
import type { Timeouts } from "../timeouts.ts";
import { keyOf, type Person } from "./team-presence.ts";

/** Changes within this time are written together. */
const NOTE_AFTER_MS = 500;
/** Pages of a team are written at most this often. */
export const PAGES_EVERY_MS = 2_000;
/** People, and pages, in one commit. */
const PEOPLE_A_COMMIT = 200;
const PAGES_A_COMMIT = 50;

/** What is to be written of one team's presence: one entry a person and one page a contact, however often they change. */
export interface PresenceNotes {
  /** A person has connected, changed or left: their state is read when it is written. */
  person(person: Person): void;
  /** The page that a contact is on: the latest is written, in the next commit of pages. */
  page(contactId: string, page: string): void;
  /** Whether nothing waits and nothing is being written. */
  isIdle(): boolean;
  /** Writes everything that waits, at once. Never fails. */
  flush(): Promise<void>;
}

/**
 * ```
 *            something has changed           500 ms; a page: 2 s after the last pages
 *   idle ---------------------------> waiting ----------------------------------------> writing
 *    ^                                   ^                                                 |
 *    |                                   '----------- something waits again ---------------|
 *    '------------------------------------------------ nothing waits ----------------------'
 * ```
 * One commit of a team at a time, and no team waits for another: a slow storage or a flood delays only that team's own
 * presence.
 *
 * @param write one commit
 * @param before resolves when writing may begin
 * @param statusOf a person's present status
 * @param onIdle nothing waits any more
 */
export function presenceNotes({
  write,
  before,
  statusOf,
  timeouts,
  onTrouble,
  onIdle,
}: {
  write(note: PresenceNote): Promise<void>;
  before: Promise<void>;
  statusOf(person: Pick<Person, "kind" | "id">): { online: boolean; isAway: boolean };
  timeouts: Timeouts;
  onTrouble(error: unknown): void;
  onIdle(): void;
}): PresenceNotes {
  const people = new Map<string, Pick<Person, "kind" | "id">>();
  const pages = new Map<string, string>();
  /** Pages were written less than `PAGES_EVERY_MS` ago. */
  let pagesRest = false;
  let cancel: (() => void) | undefined;
  let writing: Promise<void> | undefined;

  return {
    person({ kind, id }) {
      people.set(keyOf({ kind, id }), { kind, id });
      wait();
    },
    page(contactId, page) {
      pages.set(contactId, page);
      wait();
    },
    isIdle: () => people.size === 0 && pages.size === 0 && writing === undefined,
    async flush() {
      await writing;
      pagesRest = false;
      await writeAll();
    },
  };

  /** While a commit is under way, its end handles what was added since. */
  function wait(): void {
    const isDue = people.size > 0 || (pages.size > 0 && !pagesRest);
    if (isDue && !writing) cancel ??= timeouts.after(NOTE_AFTER_MS, () => void writeAll());
  }

  function writeAll(): Promise<void> {
    cancel?.();
    cancel = undefined;
    writing ??= writeInParts().finally(() => {
      writing = undefined;
      wait();
      if (people.size === 0 && pages.size === 0) onIdle();
    });
    return writing;
  }

  async function writeInParts(): Promise<void> {
    await before;
    // What waits now: what is added during the write belongs to the next one.
    const parts = nextParts();
    for (const part of parts) await write(part).catch(onTrouble);
  }

  function nextParts(): PresenceNote[] {
    const changes = [...people.values()];
    people.clear();
    const visits: { contactId: string; page: string }[] = [];
    if (pages.size > 0 && !pagesRest) {
      visits.push(...[...pages].map(([contactId, page]) => ({ contactId, page })));
      pages.clear();
      pagesRest = true;
      timeouts.after(PAGES_EVERY_MS, () => {
        pagesRest = false;
        wait();
      });
    }
    const parts: PresenceNote[] = [];
    while (changes.length > 0 || visits.length > 0) {
      const some = Map.groupBy(changes.splice(0, PEOPLE_A_COMMIT), ({ kind }) => kind);
      parts.push({
        contacts: (some.get("contact") ?? []).map((person) => ({ id: person.id, ...statusOf(person) })),
        agents: (some.get("agent") ?? []).map((person) => ({ id: person.id, ...statusOf(person) })),
        pages: visits.splice(0, PAGES_A_COMMIT),
      });
    }
    return parts;
  }
}
