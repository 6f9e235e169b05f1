import { useState } from "react";
import { Field, TextArea } from "./field.tsx";

/** A list, one entry per line. */
export function Lines({
  label,
  hint,
  value,
  problem,
  onChange,
}: {
  label: string;
  hint: string;
  value: readonly string[];
  problem: string | undefined;
  onChange(value: string[]): void;
}) {
  const [text, setText] = useState(value.join("\n"));
  return (
    <Field label={label} hint={hint} problem={problem}>
      <TextArea
        rows={3}
        value={text}
        spellCheck={false}
        onChange={({ target }) => {
          setText(target.value);
          onChange(
            target.value
              .split("\n")
              .map((line) => line.trim())
              .filter(Boolean),
          );
        }}
        className="max-w-xl font-mono"
      />
    </Field>
  );
}
