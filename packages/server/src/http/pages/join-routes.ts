import { sentenceOf } from "@frontdesk/core/domain/reasons";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { PasswordOwner } from "../../access/guessable-password.ts";
import { PASSWORD_MIN, passwordProblem } from "../../access/password.ts";
import type { Perform } from "../../perform.ts";
import { nameProblem } from "../../setup/person-fields.ts";
import type { OwnPage } from "../framework/own-page.ts";
import type { BeginSession } from "../session/begin-session.ts";
import { findInvited, type Invited, join } from "../session/invitation.ts";
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

/**
 * `/join/{token}`: an invited person chooses a name and a password, and becomes an active agent, who is signed in. The link
 * works once; a repeat finds an invalid invitation. Another site's page cannot send the form: it would sign the visitor of that
 * page in.
 */
export async function joinRoutes(
  app: FastifyInstance,
  { perform, begin, ownPage }: { perform: Perform; begin: BeginSession; ownPage: OwnPage },
): Promise<void> {
  readForms(app);
  app.setErrorHandler(answerPageError(texts));

  app.get<{ Params: { token: string } }>("/join/:token", async ({ params, ip }, reply) => {
    const invited = await findInvited(perform, params.token, ip);
    if (!invited) return refuse(reply);
    return sendForm(reply, 200, invited, formFields({ name: invited.name ?? "", password: undefined }));
  });

  app.post<{ Params: { token: string }; Body: Form | undefined }>(
    "/join/:token",
    { bodyLimit: FORM_LIMIT_BYTES, onRequest: async (request) => ownPage.require(request) },
    async (request, reply) => {
      const { params, body } = request;
      // Checked first, so that only the holder of a link can make us hash passwords.
      const invited = await findInvited(perform, params.token, request.ip);
      if (!invited) return refuse(reply);
      const [name, password] = [onlyValue(body, "name"), onlyValue(body, "password")];
      const fields = formFields({ name, password }).map((field) => ({
        ...field,
        problem: problemOf(field, { ...invited, name }),
      }));
      if (name === undefined || password === undefined || fields.some(({ problem }) => problem)) {
        return sendForm(reply, 422, invited, fields);
      }
      const person = await join(perform, invited, { name, password });
      if (!person) return refuse(reply);
      await begin(request, reply, person);
      return sendJoined(reply, invited);
    },
  );
}

function sendJoined(reply: FastifyReply, { email, teamName }: Invited): FastifyReply {
  const { title, text, open } = texts.joined;
  const main = html`<h1>${title}</h1>
<p>${text(email, teamName)}</p>
<p><a href="../app">${open}</a></p>`;
  return sendPage(reply, 200, { lang: texts.lang, title, main });
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

function problemOf({ type, value }: Field, owner: PasswordOwner): string | undefined {
  if (!value?.trim()) return texts.form.missing;
  const problem = type === "password" ? passwordProblem(value, owner) : nameProblem(value.trim());
  return problem && sentenceOf(problem);
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
  const shown = summary ? texts.form.errorTitle(title) : title;
  return sendPage(reply, status, { lang: texts.lang, title: shown, main, hasForm: true });
}
