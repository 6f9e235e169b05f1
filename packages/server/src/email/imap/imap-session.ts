import type { ImapFlow } from "imapflow";
import type { Logger } from "../../logger.ts";
import type { Timeouts } from "../../timeouts.ts";
import type { ImapConnector } from "./connect-imap.ts";
import { COMMAND_MS, type Within } from "./fetch-mail.ts";
import { fileMails } from "./file-mails.ts";
import { type FolderPosition, positionIn } from "./folder-position.ts";
import { followSent, type SentParts } from "./follow-sent.ts";
import type { ImapAccount } from "./imap-account.ts";
import { type ImapTrouble, troubleOf } from "./imap-trouble.ts";
import { type FolderReading, readFolder, sweepGaps } from "./read-folder.ts";

/** IDLE is ended and the folder read after so long, whatever the server says: mail comes in within 5 minutes without it. */
export const IDLE_MS = 240_000;
/** For the answer that shows that the connection is alive. */
const PROBE_MS = 20_000;
export const SWEEP_GAPS_MS = 3_600_000;
const CONNECT_MS = 60_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;
/** A refused password is tried again seldom: servers lock accounts. */
export const REFUSED_WAIT_MS = 3_600_000;
/** The account is failing after so many connections in a row without the folder open. */
export const FAILING_AFTER = 3;

export type NotedState = { state: "active" } | { state: "needs-sign-in" | "failing"; reason: ImapTrouble["reason"] };

export interface ImapSessionParts {
  account: ImapAccount;
  connect: ImapConnector;
  take: FolderReading["take"];
  /** The stored position. `save` resolves to false when another process reads the mailbox. */
  positions: { load(): Promise<FolderPosition | undefined>; save: FolderReading["save"] };
  /** What follows the folder of sent mails; left out: it is not looked at. */
  sent?: SentParts | undefined;
  note(state: NotedState): Promise<void>;
  /** Waits until this process may read one more mailbox; the returned function ends it. */
  turn(): Promise<() => void>;
  runtime: { now(): number; steadyNow(): number; random(bytes: number): Buffer };
  timeouts: Timeouts;
  logger: Pick<Logger, "warn">;
}

export interface ImapSession {
  /** Ends it; resolves when nothing of it is under way. */
  stop(): Promise<void>;
}

/**
 * Keeps one mailbox read.
 *
 * ```
 * connecting --> selecting --> catching up --> sent mails --> IDLE
 *   ^  |            |           |  ^  ^         |   ^          |
 *   |  |            |           |  |  '---------'   '----------+--(a minute, where sent mails are followed)
 *   |  |            |           |  |   (the other folder       |
 *   |  |            |           |  |         was opened)       |
 *   |  |            |           |  '---------------------------'--(news, or 4 minutes)
 *   |  |            |           |--(another process has the mailbox)--> ended
 *   |  |            |           |
 *   |  '------------+-----------+--(the connection ends, or does not answer in time)--> waiting, ever longer: 1 s to 5 min
 *   |  |            '--(no such folder)--> failing ------------------------------------------.     |
 *   |  '--(the password, or a new token, is refused)--> needs sign-in, an hour ----------.   |     |
 *   '----------------------------------------------------------------------------------- '---'-----'
 * ```
 * `stop` ends it from every state. What was taken is stored; the next session goes on after it.
 */
export function startImapSession(parts: ImapSessionParts): ImapSession {
  const { account, timeouts, runtime, logger } = parts;
  const stopping = new AbortController();
  const breakages: FolderReading["breakages"] = { uid: 0, times: 0 };
  let client: ImapFlow | undefined;
  let token: { token: string; isFresh: boolean } | undefined;
  let refusedToken: string | undefined;
  let noted = "";
  let sweptAt = Number.NEGATIVE_INFINITY;
  const { sent, turn } = parts;
  const visitSent = sent && followSent({ sent, inbox: account.folder, runtime, turn, signal: stopping.signal });
  const running = run();
  return {
    async stop() {
      stopping.abort();
      client?.close();
      await running;
    },
  };

  async function run(): Promise<void> {
    const inARow = { failures: 0, unopened: 0 };
    while (!stopping.signal.aborted) {
      const end = await connectAndRead(inARow);
      if (end === "lost" || stopping.signal.aborted) return;
      refusedToken = end.reason.name === "imap.refused" ? token?.token : undefined;
      // It may have been taken back before its time was over: another one is tried at once.
      if (refusedToken !== undefined && !token?.isFresh) continue;
      inARow.failures += 1;
      inARow.unopened += 1;
      await noteTrouble(end, inARow.unopened);
      await pause(end.kind === "refused" ? REFUSED_WAIT_MS : waitAfter(inARow.failures));
    }
  }

  async function connectAndRead(inARow: { failures: number; unopened: number }): Promise<ImapTrouble | "lost"> {
    // Commands fail with the connection, whose error says more.
    let broken: unknown;
    let connection: ImapFlow | undefined;
    try {
      token = undefined;
      const { client: opened, token: taken } = await parts.connect(account, stopping.signal, refusedToken);
      token = taken;
      connection = opened;
      client = opened;
      opened.on("error", (error) => {
        broken ??= error;
      });
      const within = withinOf(opened);
      await within(CONNECT_MS, () => opened.connect());
      const folder = await within(COMMAND_MS, () => openFolder(opened));
      inARow.unopened = 0;
      await note({ state: "active" });
      const known = await parts.positions.load();
      const position = positionIn(folder, known, runtime.now());
      if (position !== known && !(await parts.positions.save(position))) return "lost";
      return await follow(opened, position, within, () => {
        inARow.failures = 0;
      });
    } catch (error) {
      const cause = broken ?? error;
      if (!stopping.signal.aborted)
        logger.warn({ err: cause, account: account.accountId }, "A mailbox's connection ended.");
      return troubleOf(cause);
    } finally {
      connection?.close();
    }
  }

  async function openFolder(connection: ImapFlow) {
    // Nothing is ever marked by looking.
    const readOnly = account.afterImport === "leave";
    try {
      const { uidValidity, uidNext } = await connection.mailboxOpen(account.folder, { readOnly });
      return { uidValidity: Number(uidValidity), uidNext: Number(uidNext ?? 0) };
    } catch (error) {
      const { responseStatus } = error as { responseStatus?: string };
      throw responseStatus === "NO" ? Object.assign(error as Error, { noFolder: true }) : error;
    }
  }

  /** Until the connection ends. */
  async function follow(
    connection: ImapFlow,
    from: FolderPosition,
    within: Within,
    onCaughtUp: () => void,
  ): Promise<"lost"> {
    let position = from;
    let news = Promise.withResolvers<void>();
    let hasNews = true;
    let readAt = runtime.steadyNow();
    connection.on("exists", () => {
      hasNews = true;
      news.resolve();
    });
    for (;;) {
      news = Promise.withResolvers();
      // When a wait ends for the sent mails, the server has had the occasion to announce what is new here.
      if (hasNews || runtime.steadyNow() - readAt >= IDLE_MS) {
        hasNews = false;
        readAt = runtime.steadyNow();
        const caughtUp = await catchUp(connection, position, within);
        if (caughtUp === "lost") return "lost";
        position = caughtUp;
        onCaughtUp();
      }
      const visited = await visitSent?.(connection, within);
      if (visited === "lost") return "lost";
      if (visited?.hasOpened) {
        // Mails may have come in meanwhile.
        news = Promise.withResolvers();
        hasNews = false;
        const again = await openAgain(connection, position, within);
        if (again === "lost") return "lost";
        position = again;
      }
      if (visited?.again !== 0) await idle(connection, news.promise, within, visited?.again);
    }
  }

  /** Back to the inbox, with what it has since. */
  async function openAgain(
    connection: ImapFlow,
    before: FolderPosition,
    within: Within,
  ): Promise<FolderPosition | "lost"> {
    const folder = await within(COMMAND_MS, () => openFolder(connection));
    const position = positionIn(folder, before, runtime.now());
    if (position !== before && !(await parts.positions.save(position))) return "lost";
    return catchUp(connection, position, within);
  }

  async function catchUp(connection: ImapFlow, from: FolderPosition, within: Within): Promise<FolderPosition | "lost"> {
    let endTurn = await parts.turn();
    try {
      const reading: FolderReading = {
        ...{ client: connection, breakages, within, take: parts.take, signal: stopping.signal },
        ...{ position: from, now: runtime.now, save: parts.positions.save },
        async rest() {
          endTurn();
          endTurn = await parts.turn();
        },
      };
      const read = await readFolder(reading);
      if (read === "lost") return "lost";
      const filed = await file(connection, read.position, within);
      if (filed === "lost") return "lost";
      if (runtime.steadyNow() - sweptAt < SWEEP_GAPS_MS) return filed;
      const swept = await sweepGaps({ ...reading, position: filed });
      if (swept === "lost") return "lost";
      sweptAt = runtime.steadyNow();
      if (swept.late.length > 0 && account.afterImport !== "leave") {
        await fileMails(connection, swept.late.join(","), account.afterImport, within);
      }
      return swept.position;
    } finally {
      endTurn();
    }
  }

  /** After the commit: flags or archives what came in since the last time. */
  async function file(
    connection: ImapFlow,
    position: FolderPosition,
    within: Within,
  ): Promise<FolderPosition | "lost"> {
    const { filedUid, lastUid } = position;
    if (filedUid >= lastUid) return position;
    if (account.afterImport !== "leave") {
      await fileMails(connection, `${filedUid + 1}:${lastUid}`, account.afterImport, within);
    }
    const filed = { ...position, filedUid: lastUid };
    return (await parts.positions.save(filed)) ? filed : "lost";
  }

  /** Until news, the end of the connection, or the time of a sweep; then the server has to answer. */
  async function idle(connection: ImapFlow, news: Promise<void>, within: Within, ms = IDLE_MS): Promise<void> {
    const over = Promise.withResolvers<void>();
    const cancel = timeouts.after(ms, over.resolve);
    const idling = connection.idle();
    // It fails with the connection, which the next command tells as well.
    idling.catch(() => {});
    try {
      await Promise.race([news, over.promise, idling]);
    } finally {
      cancel();
    }
    if (!connection.usable) throw new Error("The connection has ended.");
    // Ends IDLE, and shows whether anybody is there.
    await within(PROBE_MS, () => connection.noop());
    await idling;
  }

  /** Closes the connection when a command takes too long; the command fails with it. */
  function withinOf(connection: ImapFlow): Within {
    return async (ms, command) => {
      const late = Promise.withResolvers<never>();
      const cancel = timeouts.after(ms, () => {
        late.reject(new Error("The mail server did not answer in time."));
        connection.close();
      });
      try {
        return await Promise.race([command(), late.promise]);
      } finally {
        cancel();
      }
    };
  }

  async function noteTrouble({ kind, reason }: ImapTrouble, failures: number): Promise<void> {
    if (kind === "refused") await note({ state: "needs-sign-in", reason });
    else if (failures >= FAILING_AFTER) await note({ state: "failing", reason });
  }

  async function note(state: NotedState): Promise<void> {
    const text = JSON.stringify(state);
    if (text === noted) return;
    try {
      await parts.note(state);
      noted = text;
    } catch (error) {
      logger.warn({ err: error }, "Cannot store the state of a mailbox.");
    }
  }

  /** Twice as long after each failure, and up to half as long again, so that mailboxes of one server don't come together. */
  function waitAfter(failures: number): number {
    const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20), LONGEST_WAIT_MS);
    return Math.round(wait * (1 + runtime.random(2).readUInt16BE() / 65_536 / 2));
  }

  function pause(ms: number): Promise<void> {
    if (stopping.signal.aborted) return Promise.resolve();
    const over = Promise.withResolvers<void>();
    const cancel = timeouts.after(ms, over.resolve);
    stopping.signal.addEventListener("abort", () => over.resolve(), { once: true });
    return over.promise.finally(cancel);
  }
}
