import { MessageBox } from "./composer.tsx";
import { sendDraft } from "./draft.ts";
import { Field, isEmail } from "./field.tsx";
import type { Asking } from "./frame-config.ts";
import type { Parts } from "./frame-state.ts";

const FIELDS = ["name", "email"] as const;
type Asked = (typeof FIELDS)[number];
type Waiting = Parts["state"]["outbox"][number];

/** Whether the form is shown: before the first message, and when its values were refused. */
export function asksFirst(parts: Parts): boolean {
  const { contact, connection, outbox } = parts.state;
  if (contact || connection !== "live") return false;
  return outbox.every((message) => fieldErrors(message)) && FIELDS.some((name) => askingOf(name, parts) !== "no");
}

/** The form before the chat, with the first message in one step. The service's errors are shown at their fields. */
export function PreChatForm(parts: Parts) {
  const { t } = parts;
  const asked = FIELDS.filter((name) => askingOf(name, parts) !== "no");
  return (
    <form novalidate onSubmit={() => submit(asked, parts)}>
      {asked.map((name) => (
        <Field
          {...parts}
          name={name}
          label={
            (name === "email" ? t.$email : t.$name) + (askingOf(name, parts) === "optional" ? ` (${t.$optional})` : "")
          }
          required={askingOf(name, parts) === "required"}
          problem={refusedErrors(parts)[name] && (name === "email" ? t.$emailWrong : t.$required)}
        />
      ))}
      {refusedOf(parts) ? (
        <button type="submit" class="again">
          {t.$retry}
        </button>
      ) : (
        <MessageBox {...parts} />
      )}
    </form>
  );
}

function submit(asked: Asked[], parts: Parts): void {
  const { t, frame, chat, change } = parts;
  const said = Object.fromEntries(asked.map((name) => [name, frame.values[name].trim() || undefined]));
  const problems: typeof frame.problems = {};
  for (const name of asked) {
    const value = said[name];
    if (!value && askingOf(name, parts) === "required") problems[name] = t.$required;
    if (value && name === "email" && !isEmail(value)) problems[name] = t.$emailWrong;
  }
  // A field left empty once is not asked again.
  change({ problems, passedEmail: frame.passedEmail || asked.includes("email") });
  const [wrong] = Object.keys(problems);
  const refused = refusedOf(parts);
  if (wrong) document.getElementById(wrong)?.focus();
  else if (refused) chat.retry(refused.client_id, said);
  else sendDraft(parts, said);
}

/**
 * As the widget is configured; when no agent is online and the server sends mail, an e-mail is asked for anyway, for the answer.
 * What the page has said is not asked for, unless the service has refused it.
 */
function askingOf(name: Asked, parts: Parts): Asking {
  const { config, frame, here, host } = parts;
  const asking = config.ask[name];
  const refused = refusedErrors(parts)[name];
  if (!refused && (frame.given?.includes(name) || host.identity[name])) return "no";
  return asking === "no" && (refused || (name === "email" && !here && config.mail)) ? "optional" : asking;
}

/** The service's errors for the fields of this form. */
function fieldErrors({ refused }: Waiting): Record<string, string[]> | undefined {
  const errors = refused?.errors;
  return errors && FIELDS.some((name) => name in errors) ? errors : undefined;
}

const refusedOf = ({ state }: Parts) => state.outbox.find(fieldErrors);
const refusedErrors = ({ state }: Parts) => state.outbox.map(fieldErrors).find(Boolean) ?? {};
