import type { FieldName, Parts } from "./frame-state.ts";

/** A form field with its label and its error. */
export function Field({
  name,
  label,
  problem,
  required = false,
  most = 255,
  frame: { values, problems },
  change,
}: Parts & {
  name: FieldName;
  label: string;
  problem?: string | undefined;
  required?: boolean;
  most?: number;
}) {
  const wrong = problems[name] ?? problem;
  return (
    <div class="field" key={name}>
      <label for={name}>{label}</label>
      <input
        id={name}
        type={name === "email" ? "email" : "text"}
        autocomplete={name === "comment" ? "off" : name}
        maxlength={most}
        dir={values[name] ? "auto" : undefined}
        value={values[name]}
        aria-required={required}
        aria-invalid={wrong !== undefined}
        aria-describedby={`${name}-problem`}
        onInput={({ target }: { target: HTMLInputElement }) =>
          change({ values: { ...values, [name]: target.value }, problems: { ...problems, [name]: undefined } })
        }
      />
      <p class="problem" id={`${name}-problem`} role="alert">
        {wrong}
      </p>
    </div>
  );
}

/** The error of an e-mail address, as far as it can be checked without sending mail. */
export const isEmail = (text: string) => /^\S+@\S+$/.test(text);
