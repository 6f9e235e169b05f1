/** Avatar colours; white text has a contrast of at least 4.5 on each. */
const COLORS = ["#b42318", "#b54708", "#4d7c0f", "#047857", "#0e7490", "#1d4ed8", "#6d28d9", "#a21caf", "#be185d"];

/** The avatar colour of a contact: always the same for the same id. */
export function contactColor(id: string): string {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return COLORS[sum % COLORS.length] as string;
}
