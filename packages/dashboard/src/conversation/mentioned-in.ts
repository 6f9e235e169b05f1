interface Named {
  id: string;
  name: string | null;
  email: string;
}

/** The agents that a note mentions by `@name`; where names share a beginning, the longest match. */
export function mentionedIn(text: string, people: readonly Named[]): string[] {
  const signs = people.map((person) => signOf(person));
  const named = new Set(
    [...text.matchAll(/@/g)].map(({ index }) => {
      const here = signs.filter((sign) => text.startsWith(sign, index) && isWordEnd(text, index + sign.length));
      return here.reduce((longest, sign) => (sign.length > longest.length ? sign : longest), "");
    }),
  );
  return people.filter((person) => named.has(signOf(person))).map(({ id }) => id);
}

const signOf = ({ name, email }: Named): string => `@${name ?? email}`;

/** `@Ben` does not match in `@Benjamin`. */
const isWordEnd = (text: string, at: number): boolean => !/^[\p{L}\p{N}]/u.test(text.slice(at));
