/** A storage that stops before a commit of a team until the test goes on, as a process that sleeps there would. */
import type { Storage } from "@frontdesk/server/storage/database";

export interface Gate {
  /** The same data behind the gate. */
  before(storage: Storage): Storage;
  /** Stops before the write of the team with this number, counted from now on, from 1. */
  stopAt(teamId: string, write: number): StoppedWrite;
}

export interface StoppedWrite {
  /** It has come so far. */
  reached: Promise<void>;
  /** Lets it go on, or go past when it has not come so far. */
  go(): void;
}

export function storageGate(): Gate {
  let armed: { teamId: string; left: number; reached(): void; gone: Promise<void> } | undefined;
  return {
    before: (storage) =>
      ({
        ...storage,
        async write(...asked: Parameters<Storage["write"]>) {
          const [teamId] = asked;
          const gate = armed;
          if (gate && gate.teamId === teamId) {
            gate.left -= 1;
            if (gate.left === 0) {
              gate.reached();
              await gate.gone;
            }
          }
          return storage.write(...asked);
        },
      }) as Storage,
    stopAt(teamId, write) {
      const [reached, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      armed = { teamId, left: write, reached: reached.resolve, gone: gone.promise };
      return {
        reached: reached.promise,
        go() {
          armed = undefined;
          gone.resolve();
        },
      };
    },
  };
}
