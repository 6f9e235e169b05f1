import { type FormEvent, useRef, useState } from "react";
import { readLocal, writeLocal } from "../local-storage.ts";

type Values<Name extends string> = Partial<Record<Name, string>>;

/**
 * What an agent has begun to write in a form, kept in this browser until it is sent or discarded. Its name is that of the agent's stored
 * inbox, which is deleted on sign-out.
 *
 * @param isKept whether there is something to keep
 */
export function useMailDraft<Name extends string>(
  agentId: string,
  name: string,
  isKept: (values: Values<Name>) => boolean,
) {
  const place = `inbox:${agentId}:${name}`;
  const [begun] = useState((): Values<Name> => readLocal<Values<Name>>(place) ?? {});
  const [hasAny, setHasAny] = useState(isKept(begun));
  return {
    begun,
    hasAny,
    keep({ currentTarget }: FormEvent<HTMLFormElement>) {
      const given = [...new FormData(currentTarget)].map(([field, value]) => [field, String(value)]);
      const values = Object.fromEntries(given) as Values<Name>;
      setHasAny(isKept(values));
      writeLocal(place, isKept(values) ? values : undefined);
    },
    discard: () => writeLocal(place, undefined),
  };
}

/** The same key for the same mail, so that sending it once more after a lost answer does not send two. */
export function useOneKey(): (body: object) => string {
  const last = useRef<{ body: string; key: string }>(undefined);
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current?.body !== text) last.current = { body: text, key: crypto.randomUUID() };
    return last.current.key;
  };
}
