/** Sentences with places in braces, such as `Use at most {max} characters.` */

/** The names of the places of a sentence. */
export type PlacesOf<Text extends string> = Text extends `${string}{${infer Place}}${infer Rest}`
  ? Place | PlacesOf<Rest>
  : never;

/** What may be filled in. */
export type PlaceValues = Readonly<Record<string, string | number>>;

/** Fills every place in one pass: braces within a value stay as they are. */
export function fillPlaces(text: string, values: PlaceValues): string {
  return text.replace(/\{(\w+)\}/g, (_place, name: string) => String(values[name]));
}

/** The names of the places, in their order. */
export const placesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
