/**
 * A worker process beside the measuring one, which takes commands over Node's IPC channel. One answer per command, both plain
 * JSON; commands run concurrently.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";

/** A worker's commands, by name. */
export type Commands<C> = { [Name in keyof C]: (argument: never) => unknown };

export interface WorkerProcess<C extends Commands<C>> {
  child: ChildProcess;
  /** @throws when the worker exits before it answers */
  ask<Name extends keyof C & string>(
    name: Name,
    ...argument: Parameters<C[Name]>
  ): Promise<Awaited<ReturnType<C[Name]>>>;
}

interface Command {
  id: number;
  name: string;
  argument: never;
}

/** @param program the name of a file in this folder, which calls `takeCommands` */
export function startWorkerProcess<C extends Commands<C>>(program: string): WorkerProcess<C> {
  const file = resolve(import.meta.dirname, program);
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const asked = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  let last = 0;
  child.on("message", ({ id, result }: { id: number; result: never }) => {
    asked.get(id)?.resolve(result);
    asked.delete(id);
  });
  child.on("exit", () => {
    // Stopped by this process, because something else has failed: report that error instead.
    if (child.killed) return;
    for (const { reject } of asked.values()) reject(new Error(`${program} has ended without an answer.`));
    asked.clear();
  });
  return {
    child,
    ask: (name, argument?: unknown) =>
      new Promise((resolve, reject) => {
        last += 1;
        asked.set(last, { resolve, reject });
        child.send({ id: last, name, argument });
      }),
  };
}

/** In the worker: runs commands until the measuring process exits. */
export function takeCommands<C extends Commands<C>>(commands: C): void {
  process.on("message", async ({ id, name, argument }: Command) => {
    const result = await commands[name as keyof C](argument);
    process.send?.({ id, result });
  });
  process.on("disconnect", () => process.exit());
}
