/**
 * The registry of commands: the palette lists them, keys run them, the `?` sheet shows them. Each screen adds its commands
 * while it is shown.
 */
import type { ReactNode } from "react";
import { useEffect, useId, useSyncExternalStore } from "react";
import { createKeybindingsHandler } from "tinykeys";

export interface Command {
  id: string;
  label: string;
  /** The heading it is listed under. */
  group: string;
  /** In the syntax of tinykeys: `E`, `Shift+E`, `G I`, `$mod+K`. */
  keys?: string;
  icon?: ReactNode;
  /** Its keys are bound elsewhere: it is only listed. */
  elsewhere?: true;
  /** It takes precedence over other commands with the same key. */
  over?: true;
  run(): void;
}

const bySource = new Map<string, readonly Command[]>();
const listeners = new Set<() => void>();
let all: readonly Command[] = [];
let isScheduled = false;

/**
 * Notifies the lists later: commands change in effects, with most events of the inbox, and React treats state changes in
 * consecutive effects as an endless loop, however different they are.
 */
function change(): void {
  all = [...bySource.values()].flat();
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => {
    isScheduled = false;
    for (const listener of listeners) listener();
  });
}

/** Adds commands while the calling component is mounted; pass the same array while nothing has changed. */
export function useCommands(commands: readonly Command[]): void {
  const source = useId();
  useEffect(() => {
    bySource.set(source, commands);
    change();
    return () => {
      bySource.delete(source);
      change();
    };
  }, [source, commands]);
}

export function useAllCommands(): readonly Command[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => all,
  );
}

/** Runs commands by their keys. Single keys can be switched off (WCAG 2.1.4), those with Ctrl or Command cannot. */
export function useCommandKeys(single: boolean): void {
  useEffect(() => {
    const listen = commandKeys(single);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [single]);
}

/** Looks the key up when it is pressed, since commands change with most events. */
function commandKeys(single: boolean): (event: KeyboardEvent) => void {
  let known: readonly Command[] = [];
  let byKeys: ReadonlyMap<string, Command> = new Map();
  /** All keys that ever had a command: removing one would forget a `G` of `G I` that was just pressed. */
  const listenedTo = new Set<string>();
  let handle = begin();

  return (event) => {
    if (known !== all) lookAgain();
    handle(event);
  };

  function lookAgain(): void {
    known = all;
    const bound = known.filter(({ keys, elsewhere }) => keys && !elsewhere && (single || keys.includes("$mod")));
    // Of several commands with one key the last one wins.
    const inOrder = bound.toSorted((one, other) => Number(one.over ?? false) - Number(other.over ?? false));
    byKeys = new Map(inOrder.map((command) => [command.keys as string, command]));
    const before = listenedTo.size;
    for (const keys of byKeys.keys()) listenedTo.add(keys);
    if (listenedTo.size > before) handle = begin();
  }

  function begin(): (event: KeyboardEvent) => void {
    // Sequences first: after G, I must not run the command of I alone.
    const longestFirst = [...listenedTo].toSorted((one, other) => other.split(" ").length - one.split(" ").length);
    const bindings = Object.fromEntries(longestFirst.map((keys) => [keys, (event: KeyboardEvent) => run(keys, event)]));
    // Also in fields: `isTaken` excludes the keys that fields need.
    return createKeybindingsHandler(bindings, { ignore: (event) => event.repeat || event.isComposing });
  }

  function run(keys: string, event: KeyboardEvent): void {
    // After a completed sequence tinykeys would still wait for the second key of all others, and accept no first one.
    handle = begin();
    const command = byKeys.get(keys);
    if (!command || event.defaultPrevented || isTaken(event)) return;
    event.preventDefault();
    command.run();
  }
}

/** Whether something else handles the key: a focused field, an open list or dialog. */
function isTaken(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof Element)) return false;
  // Undo in a text field belongs to the field.
  const isForAll = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() !== "z";
  if (!isForAll && target.closest("input:not([type=checkbox]), textarea, select, [contenteditable=true]")) return true;
  if (target.closest("[role=dialog], [role=menu], [role=listbox]")) return true;
  // Enter and Space activate buttons and links.
  return event.key === "Enter" && target.closest("button, a, [role=separator]") !== null;
}
