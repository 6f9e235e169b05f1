import { TextInput } from "../ui/field.tsx";

/** The six digits of an authenticator app. */
export function CodeInput({ name, autoFocus = false }: { name: string; autoFocus?: boolean }) {
  return (
    <TextInput
      name={name}
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9 ]*"
      maxLength={8}
      dir="ltr"
      required
      autoFocus={autoFocus}
      className="font-mono tracking-widest"
    />
  );
}
