/** No more of a report's text is looked at. */
const TEXT_MAX = 200_000;
const LINE_MAX = 1_000;

/** The lines with which mail servers begin the copy of the mail that a report is about. */
const MARKERS = [
  /^-{2,} ?(?:below this line is a copy of the message|this is a copy of (?:the|your) message|original message|the header of the original|message header follows|returned message|the unsent message)/i,
  /^-{3,} (?:original|unsent|returned|included) /i,
  /^(?:original message|original headers|message headers?|received headers|message text)(?: follows?)?:?\s*$/i,
  /^(?:the )?(?:original message|message headers?|headers of the original).{0,40}follows?\b/i,
  /^(?:return-path|received): /i,
];

/** What a report says, and the copy of the mail that follows in the same text; "" when none does. */
export function splitOriginal(text: string): { said: string; original: string } {
  const lines = text
    .slice(0, TEXT_MAX)
    .replaceAll(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => line.slice(0, LINE_MAX));
  const start = lines.findIndex((line) => MARKERS.some((marker) => marker.test(line.slice(0, 200).trim())));
  if (start === -1) return { said: lines.join("\n"), original: "" };
  return { said: lines.slice(0, start).join("\n"), original: lines.slice(start).join("\n") };
}
