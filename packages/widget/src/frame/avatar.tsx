/** An agent's photo, or their initial. Hidden from screen readers, since the name is beside it. */
export function Avatar({ name, photo }: { name: string; photo: string | null }) {
  const [letter = ""] = name.trim();
  return photo ? (
    <img class="face" src={photo} alt="" />
  ) : (
    <span class="face" aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  );
}
