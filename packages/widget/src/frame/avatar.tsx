import { aiIcon, icon } from "./icons.tsx";

/** An agent's photo, or their initial; the sign of the AI. Hidden from screen readers, since the name is beside it. */
export function Avatar({ name, photo, ai }: { name: string; photo: string | null; ai?: boolean | undefined }) {
  const [letter = ""] = name.trim();
  return photo && !ai ? (
    <img class="face" src={photo} alt="" />
  ) : (
    <span class="face" aria-hidden="true">
      {ai ? icon(aiIcon) : letter.toUpperCase()}
    </span>
  );
}
