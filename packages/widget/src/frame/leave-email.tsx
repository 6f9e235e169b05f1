import { Field, isEmail } from "./field.tsx";
import type { Parts } from "./frame-state.ts";

/**
 * No agent is online, and there is no address for an answer: the visitor may leave an e-mail, or decline. Not while the AI
 * answers.
 */
export function LeaveEmail(parts: Parts) {
  const { config, t, state, here, frame, change } = parts;
  const { contact, conversation } = state;
  if (frame.tookEmail) return <p class="line">{t.$thanks}</p>;
  if (conversation?.speaker === "ai") return null;
  if (here || !config.mail || !contact || contact.email || frame.passedEmail) return null;
  return (
    <form class="card" novalidate onSubmit={() => leave(parts)}>
      <Field {...parts} name="email" label={t.$awayText} />
      <button type="submit" class="again">
        {t.$send}
      </button>
      <button type="button" class="text" onClick={() => change({ passedEmail: true })}>
        {t.$later}
      </button>
    </form>
  );
}

async function leave({ t, chat, frame, change }: Parts): Promise<void> {
  const email = frame.values.email.trim();
  const answer = isEmail(email) ? await chat.identify({ email }) : undefined;
  if (answer?.ok) change({ tookEmail: true, announcement: t.$thanks });
  else change({ problems: { email: answer?.status === 0 ? t.$failed : t.$emailWrong } });
}
