const STEP = 1_024;

/** A file size for people, "12 kB" or "1.4 MB", rounded up: a file over a limit never looks as if it were within it. */
export function fileSizeText(bytes: number, language: string): string {
  const kilobytes = Math.ceil(bytes / STEP);
  const [unit, value] =
    kilobytes < STEP ? ["kilobyte", kilobytes] : ["megabyte", Math.ceil((kilobytes / STEP) * 10) / 10];
  return value.toLocaleString(language, { style: "unit", unit });
}
