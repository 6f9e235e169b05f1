/** What the forms of a new email and of a forward share. */
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Field, TextInput } from "../ui/field.tsx";

/** The buttons of its dialog. Discarding closes it. */
export function MailFormButtons({
  form,
  label,
  draft,
  disabled,
  onClose,
}: {
  form: string;
  label: string;
  draft: { hasAny: boolean; discard(): void };
  disabled: boolean;
  onClose(): void;
}) {
  return (
    <>
      {draft.hasAny && (
        <Button
          look="quietDanger"
          onClick={() => {
            draft.discard();
            onClose();
          }}
        >
          {t("discard")}
        </Button>
      )}
      <Button form={form} type="submit" look="primary" disabled={disabled}>
        {label}
      </Button>
    </>
  );
}

/** The address that it is sent to: the form's field `to`. */
export function RecipientField({ begun = "", problem }: { begun: string | undefined; problem: string | undefined }) {
  return (
    <Field label={t("mail.to")} problem={problem}>
      <TextInput
        name="to"
        type="email"
        required
        autoFocus
        autoComplete="off"
        placeholder="name@example.com"
        defaultValue={begun}
      />
    </Field>
  );
}
