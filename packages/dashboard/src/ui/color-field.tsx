import { Field, TextInput } from "./field.tsx";

/** A color: from a few presets, the browser's picker, or as text. */
export function ColorField({
  label,
  value,
  problem,
  onChange,
}: {
  label: string;
  value: string;
  problem?: string | undefined;
  onChange(color: string): void;
}) {
  return (
    <Field label={label} problem={problem}>
      <span className="flex flex-wrap items-center gap-2">
        <input
          type="color"
          aria-label={label}
          value={/^#[0-9a-f]{6}$/.test(value) ? value : "#000000"}
          onChange={({ target }) => onChange(target.value)}
          className="h-9 w-12 shrink-0 rounded-control border border-control bg-surface p-1"
        />
        <TextInput
          value={value}
          spellCheck={false}
          onValueChange={(next) => onChange(String(next).trim().toLowerCase())}
          className="numbers max-w-28 font-mono"
        />
        {CHOICES.map((color) => (
          <button
            key={color}
            type="button"
            aria-label={color}
            aria-pressed={color === value}
            onClick={() => onChange(color)}
            className="size-7 rounded-full border-2 border-surface outline-1 outline-control aria-pressed:outline-2 aria-pressed:outline-ring"
            style={{ backgroundColor: color }}
          />
        ))}
      </span>
    </Field>
  );
}

const CHOICES = ["#4f46e5", "#0f766e", "#0a5fb8", "#b42318", "#a21caf", "#17181c"];
