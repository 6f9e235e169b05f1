import { contactColor } from "@frontdesk/core/domain/contact-color";
import { useState } from "react";
import { cx } from "./class-names.ts";

const SIZES = {
  small: "size-5 text-[0.5625rem]",
  medium: "size-6 text-label",
  large: "size-8 text-meta",
  huge: "size-14 text-title",
};

/** A photo, or initials on a color that is always the same for the same person. */
export function Avatar({
  id,
  name,
  photo,
  size = "large",
  online,
}: {
  id: string;
  name: string | null;
  photo?: string | null | undefined;
  size?: keyof typeof SIZES;
  online?: boolean | undefined;
}) {
  const [broken, setBroken] = useState<string>();
  const shown = photo && photo !== broken;
  return (
    <span className={cx("relative inline-flex shrink-0", SIZES[size])} aria-hidden="true">
      {shown ? (
        <img src={photo} alt="" className="size-full rounded-full object-cover" onError={() => setBroken(photo)} />
      ) : (
        <span
          className="flex size-full items-center justify-center rounded-full font-semibold text-on-accent"
          style={{ backgroundColor: contactColor(id) }}
        >
          {initials(name)}
        </span>
      )}
      {online && (
        <span className="-end-0.5 -bottom-0.5 absolute size-2.5 rounded-full border-2 border-surface bg-online" />
      )}
    </span>
  );
}

function initials(name: string | null): string {
  const words = (name ?? "").trim().split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? "")][0] ?? "");
  return letters.join("").toUpperCase() || "?";
}
