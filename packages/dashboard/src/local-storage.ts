/**
 * Settings of this browser in localStorage, such as pane widths and the theme. They are lost where storage is forbidden or
 * full.
 */

const PREFIX = "frontdesk:";

export function readLocal<Value>(name: string): Value | undefined {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}

export function writeLocal(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Storage is forbidden or full.
  }
}
