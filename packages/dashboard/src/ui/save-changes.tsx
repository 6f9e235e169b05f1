import { t } from "../texts/texts.ts";
import { Button } from "./button.tsx";
import { FormProblem } from "./form.tsx";
import { type Unsaved, UnsavedMark } from "./unsaved.tsx";

/**
 * The end of a form that stays open after it is saved: its problem, the button that saves, and whether something is unsaved.
 *
 * @param form of `useForm`
 */
export function SaveChanges({
  form,
  unsaved,
  size,
}: {
  form: { busy: boolean; problem: string | undefined };
  unsaved: Unsaved;
  size?: "large";
}) {
  return (
    <>
      <FormProblem text={form.problem} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" {...(size && { size })} disabled={form.busy}>
          {t("saveChanges")}
        </Button>
        <UnsavedMark unsaved={unsaved} />
      </div>
      {unsaved.question}
    </>
  );
}
