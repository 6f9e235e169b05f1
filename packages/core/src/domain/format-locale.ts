/**
 * The locale in which dates, times and numbers are written beside texts in `language`: the first of the reader's own locales
 * that has a region and is the same language in the same script, or else the language. So a British reader of English texts
 * sees 19:54 and 22 Nov 2026. A reader from Taiwan keeps the Chinese of the texts: their own would be in another script.
 *
 * @param preferred in order of preference, as `navigator.languages`; invalid ones are passed over
 */
export function formatLocale(language: string, preferred: readonly string[]): string {
  const wanted = readLocale(language);
  for (const each of preferred) {
    const own = readLocale(each);
    if (own?.hasRegion && own.written === wanted?.written) return own.name;
  }
  return language;
}

function readLocale(tag: string): { name: string; written: string; hasRegion: boolean } | undefined {
  try {
    const locale = new Intl.Locale(tag);
    const { language, script } = locale.maximize();
    return { name: locale.baseName, written: `${language}-${script}`, hasRegion: locale.region !== undefined };
  } catch {
    return undefined;
  }
}
