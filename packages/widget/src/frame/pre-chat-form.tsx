import { isFit, MessageBox } from "./composer.tsx";
import { firstMessageDetails } from "./first-message.ts";
import type { Asking } from "./frame-config.ts";
import type { FieldName, Parts } from "./frame-state.ts";

const FIELDS: readonly FieldName[] = ["name", "email"];

/** Whether the visitor is asked who they are: before the first message, and when what they said was not taken. */
export function asksFirst(parts: Parts): boolean {
  const { contact, connection, outbox } = parts.state;
  if (contact || connection !== "live") return false;
  return outbox.every(({ refused }) => refused?.errors) && FIELDS.some((name) => askingOf(name, parts) !== "no");
}

/** Who are you, and what is it about: in one step. What the service does not take comes back to its field. */
export function PreChatForm(parts: Parts) {
  const { t, frame, change } = parts;
  const { values, problems } = frame;
  const asked = FIELDS.filter((name) => askingOf(name, parts) !== "no");
  return (
    <form
      novalidate
      onSubmit={(event: Event) => {
        event.preventDefault();
        submit(asked, parts);
      }}
    >
      {asked.map((name) => {
        const problem =
          problems[name] ?? (refusedErrors(parts)[name] && t(name === "email" ? "emailWrong" : "required"));
        const asking = askingOf(name, parts);
        return (
          <div class="field" key={name}>
            <label for={name}>
              {t(name)} {asking === "optional" && <span>({t("optional")})</span>}
            </label>
            <input
              id={name}
              type={name === "email" ? "email" : "text"}
              autocomplete={name}
              maxlength="255"
              dir={values[name] ? "auto" : undefined}
              value={values[name]}
              aria-required={asking === "required"}
              aria-invalid={problem !== undefined}
              aria-describedby={`${name}-problem`}
              onInput={({ target }: { target: HTMLInputElement }) =>
                change({ values: { ...values, [name]: target.value }, problems: { ...problems, [name]: undefined } })
              }
            />
            <p class="problem" id={`${name}-problem`} role="alert">
              {problem}
            </p>
          </div>
        );
      })}
      {refusedOf(parts) ? (
        <button type="submit" class="again">
          {t("retry")}
        </button>
      ) : (
        <MessageBox {...parts} />
      )}
    </form>
  );
}

function submit(asked: FieldName[], parts: Parts): void {
  const { t, frame, chat, host, config, change } = parts;
  const said = Object.fromEntries(asked.map((name) => [name, frame.values[name].trim() || undefined]));
  const problems: typeof frame.problems = {};
  for (const name of asked) {
    const value = said[name];
    if (!value && askingOf(name, parts) === "required") problems[name] = t("required");
    if (value && name === "email" && !/^\S+@\S+$/.test(value)) problems[name] = t("emailWrong");
  }
  change({ problems });
  const [wrong] = Object.keys(problems);
  const refused = refusedOf(parts);
  if (wrong) {
    document.getElementById(wrong)?.focus();
  } else if (refused) {
    chat.retry(refused.client_id, said);
  } else if (isFit(frame.draft)) {
    chat.send({ content: frame.draft.trim(), ...firstMessageDetails(host, config), ...said });
    change({ draft: "" });
  }
}

/** As the widget is set; where nobody is there to answer at once, an e-mail is asked for anyway, for the answer. */
function askingOf(name: FieldName, parts: Parts): Asking {
  const { config, here, host } = parts;
  const asking = config.ask[name];
  if (asking !== "no") return asking;
  return refusedErrors(parts)[name] || (name === "email" && !here && !host.identity.email) ? "optional" : "no";
}

const refusedOf = ({ state }: Parts) => state.outbox.find(({ refused }) => refused?.errors);
const refusedErrors = (parts: Parts): Record<string, string[]> => refusedOf(parts)?.refused?.errors ?? {};
