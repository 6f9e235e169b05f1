import { describe, expect, test } from "vitest";
import { isShortcutPress, type KeyPress } from "./shortcut-keys.ts";

type Held = "shift" | "ctrl" | "alt" | "meta" | "altgr" | "composing";

function pressed(key: string, code: string, ...held: Held[]): KeyPress {
  return {
    key,
    code,
    keyCode: 0,
    shiftKey: held.includes("shift"),
    ctrlKey: held.includes("ctrl"),
    altKey: held.includes("alt"),
    metaKey: held.includes("meta"),
    isComposing: held.includes("composing"),
    getModifierState: (name) => name === "AltGraph" && held.includes("altgr"),
  };
}

type Row = [layout: string, shortcut: string, event: KeyPress];

/** What browsers report when the key that a shortcut names is pressed on that layout. */
const fires: Row[] = [
  ["us", "/", pressed("/", "Slash")],
  ["us", "?", pressed("?", "Slash", "shift")],
  ["us", "]", pressed("]", "BracketRight")],
  ["us", "E", pressed("e", "KeyE")],
  ["us with caps lock", "E", pressed("E", "KeyE")],
  ["us", "Shift+E", pressed("E", "KeyE", "shift")],
  ["us with caps lock", "Shift+E", pressed("e", "KeyE", "shift")],
  ["us", "$mod+K", pressed("k", "KeyK", "ctrl")],
  ["us", "Escape", pressed("Escape", "Escape")],
  ["dvorak", "E", pressed("e", "KeyD")],
  ["dvorak", "/", pressed("/", "BracketLeft")],
  ["dvorak", "$mod+K", pressed("k", "KeyV", "ctrl")],
  ["de", "/", pressed("/", "Digit7", "shift")],
  ["de", "?", pressed("?", "Minus", "shift")],
  ["de", "Z", pressed("z", "KeyY")],
  ["de on Linux", "]", pressed("]", "Digit9", "altgr")],
  ["de on Windows", "]", pressed("]", "Digit9", "ctrl", "alt", "altgr")],
  ["de on Windows, an older browser", "]", pressed("]", "Digit9", "ctrl", "alt")],
  ["fr", "/", pressed("/", "Period", "shift")],
  ["fr", "?", pressed("?", "KeyM", "shift")],
  ["fr", "A", pressed("a", "KeyQ")],
  ["sv", "/", pressed("/", "Digit7", "shift")],
  ["sv", "?", pressed("?", "Minus", "shift")],
  ["sv", "]", pressed("]", "Digit9", "altgr")],
  ["ru", "E", pressed("у", "KeyE")],
  ["ru", "Shift+E", pressed("У", "KeyE", "shift")],
  ["ru", "J", pressed("о", "KeyJ")],
  ["ru", "$mod+K", pressed("л", "KeyK", "ctrl")],
  ["ru", "/", pressed("/", "Backslash", "shift")],
  ["ru", "?", pressed("?", "Digit7", "shift")],
  ["ru", "]", pressed("ъ", "BracketRight")],
  ["el", "E", pressed("ε", "KeyE")],
  ["el", "/", pressed("/", "Slash")],
  ["ar", "E", pressed("ث", "KeyE")],
  ["ar, two letters by one key", "B", pressed("لا", "KeyB")],
  ["ar", "?", pressed("؟", "Slash", "shift")],
  ["ar", "]", pressed("د", "BracketRight")],
  ["hi", "J", pressed("र", "KeyJ")],
  ["hi, a vowel sign", "E", pressed("ा", "KeyE")],
  ["hi", "/", pressed("य", "Slash")],
  ["ja without an input method", "/", pressed("／", "Slash")],
];

const staysQuiet: Row[] = [
  ["us", "E", pressed("E", "KeyE", "shift")],
  ["us", "Shift+E", pressed("e", "KeyE")],
  ["us", "E", pressed("e", "KeyE", "ctrl")],
  ["us", "E", pressed("e", "KeyE", "alt")],
  ["us", "E", pressed("e", "KeyE", "meta")],
  ["us", "$mod+K", pressed("k", "KeyK")],
  ["us", "$mod+K", pressed("k", "KeyK", "meta")],
  ["us", "/", pressed("/", "Slash", "ctrl")],
  ["us", "/", pressed("/", "Slash", "meta")],
  ["us", "/", pressed("/", "Slash", "alt")],
  ["us", "/", pressed("?", "Slash", "shift")],
  ["dvorak, where E has its place in the US", "E", pressed(".", "KeyE")],
  ["dvorak, where D has its place in the US", "D", pressed("e", "KeyD")],
  ["de, where Z has its place in the US", "Z", pressed("y", "KeyZ")],
  ["de, a letter of its own", "]", pressed("ü", "BracketLeft")],
  ["fr, where A has its place in the US", "A", pressed("q", "KeyA")],
  ["tr, its i without a dot", "I", pressed("ı", "KeyI")],
  ["ja while a word is composed", "E", pressed("e", "KeyE", "composing")],
  ["zh, a key of the input method", "E", { ...pressed("e", "KeyE"), keyCode: 229 }],
  ["fr, a dead key", "E", pressed("Dead", "BracketLeft")],
];

const named = (rows: Row[]) => rows.map(([layout, shortcut, event]) => ({ layout, shortcut, event, key: event.key }));

describe("a shortcut's key", () => {
  test.each(named(fires))("$shortcut is typed by “$key” ($layout)", ({ shortcut, event }) => {
    expect(isShortcutPress(event, shortcut, false)).toBe(true);
  });

  test.each(named(staysQuiet))("$shortcut is not typed by “$key” ($layout)", ({ shortcut, event }) => {
    expect(isShortcutPress(event, shortcut, false)).toBe(false);
  });

  test("on a Mac the command key stands for Ctrl, and Option types symbols", () => {
    expect(isShortcutPress(pressed("k", "KeyK", "meta"), "$mod+K", true)).toBe(true);
    expect(isShortcutPress(pressed("k", "KeyK", "ctrl"), "$mod+K", true)).toBe(false);
    expect(isShortcutPress(pressed("e", "KeyE", "ctrl"), "E", true)).toBe(false);
    expect(isShortcutPress(pressed("]", "Digit6", "alt"), "]", true)).toBe(true);
    expect(isShortcutPress(pressed("E", "KeyE", "alt", "shift"), "Shift+E", true)).toBe(false);
  });
});
