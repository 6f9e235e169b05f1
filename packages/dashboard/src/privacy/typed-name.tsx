import { type ReactNode, useState } from "react";
import { t } from "../texts/texts.ts";
import { Field, TextInput } from "../ui/field.tsx";

/** Asks for a name before what cannot be undone: the field `typed`, and whether what was typed is the name; the field says if not. */
export function useTypedName(name: string): { field: ReactNode; isTyped(typed: string): boolean } {
  const [isOther, setIsOther] = useState(false);
  return {
    field: (
      <Field label={t("erase.type", { name })} problem={isOther ? t("erase.mismatch") : undefined}>
        <TextInput name="typed" autoComplete="off" spellCheck={false} dir="auto" onChange={() => setIsOther(false)} />
      </Field>
    ),
    isTyped(typed) {
      const isName = isSame(typed, name);
      setIsOther(!isName);
      return isName;
    },
  };
}

/** Typed as it is read: without regard to case and spaces around it. */
function isSame(typed: string, name: string): boolean {
  const plain = (text: string) => text.normalize("NFC").trim().replace(/\s+/gu, " ").toLowerCase();
  return plain(typed) === plain(name);
}
