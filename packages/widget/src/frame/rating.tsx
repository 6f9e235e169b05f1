import { Field } from "./field.tsx";
import type { Parts } from "./frame-state.ts";

/** From bad to good, in the order of the text `ratings`. */
const FACES = ["😞", "🙁", "😐", "🙂", "😄"];
/** `RATING_COMMENT_MAX` of the contract. */
const COMMENT_MAX = 1_000;

/** The rating of a resolved conversation; a given rating stays visible, and may be changed. */
export function Rating(parts: Parts) {
  const { state, frame, t, change } = parts;
  const given = state.conversation?.rating;
  const names = t.$ratings.split("|");
  return (
    <form class="card" onSubmit={() => give(parts)}>
      <fieldset class="faces">
        <legend>{given && !frame.rating ? t.$thanks : t.$rate}</legend>
        {FACES.map((face, index) => (
          <label title={names[index]}>
            <input
              type="radio"
              name="rating"
              class="aside"
              aria-label={names[index]}
              checked={given === index + 1}
              onChange={() => change({ rating: index + 1 })}
            />
            {face}
          </label>
        ))}
      </fieldset>
      {frame.rating > 0 && [
        <Field {...parts} name="comment" label={t.$comment} most={COMMENT_MAX} />,
        <button type="submit" class="again">
          {t.$send}
        </button>,
      ]}
    </form>
  );
}

async function give({ frame, chat, t, change }: Parts): Promise<void> {
  if (await chat.rate(frame.rating, frame.values.comment.trim())) change({ rating: 0, announcement: t.$thanks });
  else change({ problems: { comment: t.$failed } });
}
