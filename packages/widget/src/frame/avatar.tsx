/** A picture of somebody of the team, or their first letter. Their name stands beside it, so that it says nothing itself. */
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
