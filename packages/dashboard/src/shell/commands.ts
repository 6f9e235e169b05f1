/**
 * The registry of commands: the palette lists them, keys run them, the `?` sheet shows them. Each screen adds its commands
 * while it is shown.
 */
import type { ReactNode } from "react";
import { useEffect, useId, useSyncExternalStore } from "react";
import { IS_APPLE } from "../ui/keys.tsx";
import { isShortcutPress } from "./shortcut-keys.ts";

export interface Command {
  id: string;
  label: string;
  /** The heading it is listed under. */
  group: string;
  /** Letters as on a US keyboard, symbols as typed: `E`, `Shift+E`, `G I`, `$mod+K`, `/`. */
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

/** The most time between the two keys of a sequence, as `G I`. */
const SEQUENCE_MS = 1000;

/** Looks the key up when it is pressed, since commands change with most events. */
function commandKeys(single: boolean): (event: KeyboardEvent) => void {
  /** The first key of a sequence, when it was just pressed. */
  let begun: { press: string; at: number } | undefined;

  return (event) => {
    if (event.repeat || isModifier(event.key)) return;
    const before = begun && event.timeStamp - begun.at < SEQUENCE_MS ? `${begun.press} ` : undefined;
    begun = undefined;
    if (event.defaultPrevented || isTaken(event)) return;
    // Of several commands with one key the last one wins.
    const bound = all
      .filter(({ keys, elsewhere }) => keys && !elsewhere && (single || keys.includes("$mod")))
      .toSorted((one, other) => Number(one.over ?? false) - Number(other.over ?? false))
      .toReversed();
    const isTyped = (press: string) => isShortcutPress(event, press, IS_APPLE);
    // Sequences first: after G, I must not run the command of I alone.
    const second = bound.find(
      ({ keys = "" }) => before && keys.startsWith(before) && isTyped(keys.slice(before.length)),
    );
    const first = bound.find(({ keys = "" }) => keys.includes(" ") && isTyped(firstOf(keys)));
    const command = second ?? (first ? undefined : bound.find(({ keys = "" }) => !keys.includes(" ") && isTyped(keys)));
    if (!command && first) begun = { press: firstOf(first.keys ?? ""), at: event.timeStamp };
    if (!command) return;
    event.preventDefault();
    command.run();
  };
}

const firstOf = (keys: string) => keys.split(" ", 1)[0] as string;
const isModifier = (key: string) => ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"].includes(key);

/** Whether something else handles the key: a focused field, an open list or dialog. */
function isTaken(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof Element)) return false;
  // Undo in a text field belongs to the field. Ctrl+Alt is AltGr, which types.
  const isForAll = (event.metaKey || event.ctrlKey) && !event.altKey && !isShortcutPress(event, "$mod+Z", IS_APPLE);
  if (!isForAll && target.closest("input:not([type=checkbox]), textarea, select, [contenteditable=true]")) return true;
  if (target.closest("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]")) return true;
  // Enter and Space activate buttons and links.
  return event.key === "Enter" && target.closest("button, a, [role=separator]") !== null;
}
