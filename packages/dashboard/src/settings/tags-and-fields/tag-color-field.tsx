import { Check } from "lucide-react";
import { t } from "../../texts/texts.ts";
import { TAG_COLORS } from "../../ui/tag-colors.ts";

const DOT =
  "forced-color-adjust-none relative inline-flex size-7 items-center justify-center rounded-full border-2 border-surface outline-1 outline-line has-checked:outline-2 has-checked:outline-ring has-focus-visible:outline-2 has-focus-visible:outline-ring pointer-coarse:size-9";

/** The color of a tag's dot: one of a few that are easy to distinguish, none, or any other. */
export function TagColorField({
  value,
  problem,
  onChange,
}: {
  /** The value as stored, also a CSS name like "teal". */
  value: string | null;
  problem: string | undefined;
  onChange(color: string | null): void;
}) {
  const own = value !== null && !TAG_COLORS.includes(value);
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium">{t("widget.color")}</legend>
      <div className="flex flex-wrap items-center gap-2">
        {[...TAG_COLORS, null].map((color) => (
          <label key={color ?? "none"} className={DOT} style={{ backgroundColor: color ?? "var(--control)" }}>
            <input
              type="radio"
              name="tag-color"
              aria-label={color ?? t("tags.noColor")}
              checked={color === value}
              onChange={() => onChange(color)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            {color === value && <Check size={14} strokeWidth={3} className="text-on-accent" aria-hidden="true" />}
          </label>
        ))}
        <input
          type="color"
          aria-label={t("tags.ownColor")}
          title={t("tags.ownColor")}
          value={value !== null && /^#[0-9a-f]{6}$/i.test(value) ? value : "#000000"}
          onChange={({ target }) => onChange(target.value)}
          className={`h-8 w-12 rounded-control border bg-surface p-1 ${own ? "border-accent" : "border-control"}`}
        />
      </div>
      {problem && (
        <p role="alert" className="text-danger text-meta">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
