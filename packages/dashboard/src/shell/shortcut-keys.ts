/**
 * Whether a key event is a shortcut's key, on every keyboard layout.
 *
 * - Letters by `key`, so that Dvorak and AZERTY press the printed letter; on a layout without Latin letters by `code`, the
 *   place of the letter on a US keyboard.
 * - Symbols by `key`: `/` is Shift+7 in Germany, `]` needs AltGr. Shift and AltGr only type them. Where another script has a
 *   letter in the place of `/`, `?` or `]`, that letter counts.
 */

/** The parts of a `KeyboardEvent` that decide. */
export type KeyPress = Pick<
  KeyboardEvent,
  "key" | "code" | "shiftKey" | "ctrlKey" | "altKey" | "metaKey" | "isComposing" | "keyCode" | "getModifierState"
>;

/** The symbol keys that are letters on layouts without Latin letters, alone and with Shift. */
const SYMBOL_CODES: Record<string, readonly [alone: string, shifted: string]> = {
  BracketLeft: ["[", "{"],
  BracketRight: ["]", "}"],
  Slash: ["/", "?"],
};
/** The same symbol in another script: the Arabic question mark, and the full-width forms of East Asia. */
const SAME_SYMBOL: Record<string, string> = { "؟": "?", "？": "?", "／": "/", "］": "]" };

/** @param press one press of a shortcut: `E`, `Shift+E`, `$mod+K`, `/`, `Escape` */
export function isShortcutPress(event: KeyPress, press: string, isApple: boolean): boolean {
  if (isComposing(event)) return false;
  const modifiers = press.split("+");
  const wanted = modifiers.pop() as string;
  const wantsMod = modifiers.includes("$mod");
  const pressed = keyOf(event);
  if (pressed.toLowerCase() !== wanted.toLowerCase()) return false;
  if (isSymbol(wanted)) return !wantsMod && !event.metaKey && (typesWithAlt(event, isApple) || isPlain(event));
  return (
    event.shiftKey === modifiers.includes("Shift") &&
    !event.altKey &&
    (isApple ? event.metaKey : event.ctrlKey) === wantsMod &&
    !(isApple ? event.ctrlKey : event.metaKey)
  );
}

/** Whether the key belongs to an input method. Safari reports the Enter that accepts a word by its key code alone. */
export function isComposing(event: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return event.isComposing || event.keyCode === 229;
}

/** What the key types, in Latin letters and symbols. */
function keyOf({ key, code, shiftKey }: KeyPress): string {
  const same = SAME_SYMBOL[key];
  if (same) return same;
  if (!/^[\p{L}\p{M}]/u.test(key) || /^\p{Script=Latin}/u.test(key)) return key;
  return /^Key([A-Z])$/.exec(code)?.[1] ?? SYMBOL_CODES[code]?.[shiftKey ? 1 : 0] ?? key;
}

const isSymbol = (key: string) => /^[^\p{L}\p{N}]$/u.test(key);
const isPlain = ({ ctrlKey, altKey }: KeyPress) => !ctrlKey && !altKey;

/** AltGr, which Windows may report as Ctrl+Alt; on a Mac the Option key. */
function typesWithAlt(event: KeyPress, isApple: boolean): boolean {
  if (isApple) return event.altKey && !event.ctrlKey;
  return event.getModifierState("AltGraph") || (event.ctrlKey && event.altKey);
}
