/**
 * A value of this browser or of this tab, after it was set to `value`; an empty one is none. Where the browser keeps nothing,
 * it lasts as long as the page, in what the page itself knows.
 */
export function kept(where: "localStorage" | "sessionStorage", key: string, value?: string): string | undefined {
  try {
    const storage = window[where];
    if (value) storage.setItem(key, value);
    else if (value === "") storage.removeItem(key);
    return storage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
