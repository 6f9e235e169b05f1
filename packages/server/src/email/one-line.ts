/** The first words of a text in one line. Much of a text may be white space: only its beginning is looked at. */
export const oneLine = (text: string, max: number): string =>
  text
    .slice(0, 10 * max)
    .replaceAll("\0", "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, max)
    .toWellFormed();

/** What lists of mails show of a subject and of a text. */
export const SUBJECT_MAX = 300;
export const EXCERPT_MAX = 200;
export const SENDER_NAME_MAX = 200;
