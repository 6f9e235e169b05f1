/** A text as part of a regular expression with the flag `u`, which refuses escapes that mean nothing, such as `\-`. */
export const literalPattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
