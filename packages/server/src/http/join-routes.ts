import { Refusal } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { SystemActor } from "../access/actor.ts";
import { hashPassword, PASSWORD_MIN, passwordProblem } from "../access/password.ts";
import { tokenTeam } from "../access/token.ts";
import { acceptInvitation, getInvitation } from "../agents/accept-invitation.ts";
import type { Perform } from "../perform.ts";
import { nameProblem } from "../setup/person-fields.ts";
import { getTeam } from "../teams/get-team.ts";
import { answerPageError } from "./answer-page-error.ts";
import {
  type Field,
  FORM_LIMIT_BYTES,
  type Form,
  fieldMarkup,
  onlyValue,
  problemSummary,
  readForms,
} from "./form-body.ts";
import { en } from "./locales/en.ts";
import { html, sendPage, sendPlainPage } from "./page.ts";

const texts = en;
const t = texts.join;

/** Who is invited to what, by a link that works. */
interface Invited {
  actor: SystemActor;
  token: string;
  email: string;
  name: string | null;
  teamName: string;
}

/**
 * `/join/{token}`: an invited person chooses a name and a password, and becomes an active agent. The link is used up by
 * that; a repeat finds an invitation that does not work any more.
 */
export async function joinRoutes(app: FastifyInstance, { perform }: { perform: Perform }): Promise<void> {
  readForms(app);
  app.setErrorHandler(answerPageError(texts));

  app.get<{ Params: { token: string } }>("/join/:token", async ({ params }, reply) => {
    const invited = await find(params.token);
    if (!invited) return refuse(reply);
    return sendForm(reply, 200, invited, formFields({ name: invited.name ?? "", password: undefined }));
  });

  app.post<{ Params: { token: string }; Body: Form | undefined }>(
    "/join/:token",
    { bodyLimit: FORM_LIMIT_BYTES },
    async ({ params, body }, reply) => {
      // First of all, so that only the holder of a link can make us hash passwords.
      const invited = await find(params.token);
      if (!invited) return refuse(reply);
      const [name, password] = [onlyValue(body, "name"), onlyValue(body, "password")];
      const fields = formFields({ name, password }).map((field) => ({ ...field, problem: problemOf(field) }));
      if (name === undefined || password === undefined || fields.some(({ problem }) => problem)) {
        return sendForm(reply, 422, invited, fields);
      }
      const { actor, token, email, teamName } = invited;
      const joining = { token, name: name.trim(), passwordHash: await hashPassword(password) };
      const agent = await unlessNotFound(perform(actor, acceptInvitation, joining));
      if (!agent) return refuse(reply);
      const { title, text } = texts.joined;
      return sendPlainPage(reply, 200, texts.lang, { title, text: text(email, teamName) });
    },
  );

  async function find(token: string): Promise<Invited | undefined> {
    const teamId = tokenTeam("invite", token);
    if (teamId === undefined) return undefined;
    const actor: SystemActor = { kind: "system", teamId };
    const agent = await unlessNotFound(perform(actor, getInvitation, { token }));
    if (!agent) return undefined;
    const team = await perform(actor, getTeam, {});
    return { actor, token, email: agent.email, name: agent.name, teamName: team.name };
  }
}

async function unlessNotFound<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Refusal && error.reason.name === "not-found") return undefined;
    throw error;
  }
}

function refuse(reply: FastifyReply): FastifyReply {
  return sendPlainPage(reply, 404, texts.lang, texts.joinRefused);
}

function formFields({ name, password }: { name: string | undefined; password: string | undefined }): Field[] {
  return [
    { name: "name", label: t.name, hint: t.nameHint, autocomplete: "name", value: name },
    {
      name: "password",
      label: t.password,
      hint: texts.form.passwordHint(PASSWORD_MIN),
      type: "password",
      autocomplete: "new-password",
      value: password,
    },
  ];
}

function problemOf({ type, value }: Field): string | undefined {
  if (!value?.trim()) return texts.form.missing;
  return type === "password" ? passwordProblem(value) : nameProblem(value.trim());
}

function sendForm(reply: FastifyReply, status: number, { email, teamName }: Invited, fields: readonly Field[]) {
  const title = t.title(teamName);
  const summary = problemSummary(texts.form.summary, fields);
  const main = html`<h1>${title}</h1>
<p>${t.intro(email, teamName)}</p>
${summary}
<form method="post" novalidate>
<input type="hidden" autocomplete="username" value="${email}">
${fields.map(fieldMarkup)}
<button type="submit">${t.submit}</button>
</form>`;
  return sendPage(reply, status, { lang: texts.lang, title: summary ? texts.form.errorTitle(title) : title, main });
}
