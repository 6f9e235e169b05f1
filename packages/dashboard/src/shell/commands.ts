/**
 * What can be done at this moment, said once: the palette offers it, keys do it, the `?` sheet lists it. Each screen adds what
 * it can do while it is shown.
 */
import type { ReactNode } from "react";
import { useEffect, useId, useSyncExternalStore } from "react";
import { createKeybindingsHandler } from "tinykeys";

export interface Command {
  id: string;
  label: string;
  /** The heading it stands under. */
  group: string;
  /** As tinykeys writes them: `E`, `Shift+E`, `G I`, `$mod+K`. */
  keys?: string;
  icon?: ReactNode;
  /** It has keys of its own place: it is listed, and bound elsewhere. */
  elsewhere?: true;
  /** While it is there, it has its key before other commands with the same one. */
  over?: true;
  run(): void;
}

const bySource = new Map<string, readonly Command[]>();
const listeners = new Set<() => void>();
let all: readonly Command[] = [];
let isScheduled = false;

/**
 * Updates the lists that show them, later: commands change in effects, with most of what happens in the inbox, and React takes a
 * change of state in one effect after another for an endless loop, however different they are.
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

/** Adds commands while the calling component is shown; hand in the same array while nothing about it has changed. */
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

/** Runs the current commands by their keys. Single keys can be switched off (WCAG 2.1.4), those with Ctrl or Command cannot. */
export function useCommandKeys(single: boolean): void {
  useEffect(() => {
    const listen = commandKeys(single);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [single]);
}

/** Looks the key up when it is pressed, since commands change with most of what happens. */
function commandKeys(single: boolean): (event: KeyboardEvent) => void {
  let known: readonly Command[] = [];
  let byKeys: ReadonlyMap<string, Command> = new Map();
  /** All keys that ever had a command: forgetting one would forget the `G` of `G I` that was just pressed. */
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
    // Those of several keys first: after G, I is not the I of its own.
    const longestFirst = [...listenedTo].toSorted((one, other) => other.split(" ").length - one.split(" ").length);
    const bindings = Object.fromEntries(longestFirst.map((keys) => [keys, (event: KeyboardEvent) => run(keys, event)]));
    // In fields, too: `isTaken` says what is theirs.
    return createKeybindingsHandler(bindings, { ignore: (event) => event.repeat || event.isComposing });
  }

  function run(keys: string, event: KeyboardEvent): void {
    // When one has come to its end, tinykeys would still wait for the second key of all others, and take no first one.
    handle = begin();
    const command = byKeys.get(keys);
    if (!command || event.defaultPrevented || isTaken(event)) return;
    event.preventDefault();
    command.run();
  }
}

/** Whether the key belongs to something else: a field that is written in, a list or a dialog that is open. */
function isTaken(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof Element)) return false;
  // What was written is taken back by the field itself.
  const isForAll = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() !== "z";
  if (!isForAll && target.closest("input:not([type=checkbox]), textarea, select, [contenteditable=true]")) return true;
  if (target.closest("[role=dialog], [role=menu], [role=listbox]")) return true;
  // Enter and Space are what buttons and links are pressed by.
  return event.key === "Enter" && target.closest("button, a, [role=separator]") !== null;
}
