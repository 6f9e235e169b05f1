import { type GivenReason, sentenceOf } from "@frontdesk/core/domain/reasons";
import { Refusal } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { PasswordOwner } from "../../access/guessable-password.ts";
import { hashPassword, PASSWORD_MIN, passwordProblem } from "../../access/password.ts";
import type { Perform } from "../../perform.ts";
import { emailProblem, nameProblem } from "../../setup/person-fields.ts";
import { type StartedTeam, setupTeam } from "../../setup/setup-team.ts";
import { getSetupState } from "../../setup/setup-token.ts";
import type { OwnPage } from "../framework/own-page.ts";
import type { BeginSession } from "../session/begin-session.ts";
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

/** The parts of the service that the pages for people need. */
export interface PageServices {
  perform: Perform;
  newId(): string;
  /** The public address for programs, without a slash at the end. */
  publicUrl: string;
  begin: BeginSession;
  ownPage: OwnPage;
}

/** The first API key of a team. */
const FIRST_KEY_NAME = "main";

const texts = en;
const t = texts.setup;

/**
 * `/setup?token=…`: the first team of a fresh installation, made in a browser. It works without JavaScript, and only
 * with the one-time token that the program printed when it started. The new owner is signed in. A repeat after success finds the page closed.
 */
export async function setupRoutes(
  app: FastifyInstance,
  { perform, newId, publicUrl, begin, ownPage }: PageServices,
): Promise<void> {
  readForms(app);
  app.setErrorHandler(answerPageError(texts));

  app.get("/setup", async (request, reply) => {
    if (!(await isOpen(request))) return refuse(request, reply);
    return sendForm(reply, 200, formFields(new Map([["widget_name", [t.widgetNameDefault]]])));
  });

  const limited = {
    bodyLimit: FORM_LIMIT_BYTES,
    onRequest: async (request: FastifyRequest) => ownPage.require(request),
  };
  app.post<{ Body: Form | undefined }>("/setup", limited, async (request, reply) => {
    // Checked first, so that only the holder of the address can make us hash passwords.
    if (!(await isOpen(request))) return refuse(request, reply);
    const fields = checked(formFields(request.body));
    if (fields.some(({ problem }) => problem)) return sendForm(reply, 422, fields);
    try {
      const { team, passwordHash } = await setUp(request, fields);
      await begin(request, reply, { ...team, passwordHash });
      return sendDone(reply, publicUrl, team);
    } catch (error) {
      const errors = error instanceof Refusal && error.reason.name === "invalid" ? error.reason.errors : undefined;
      if (!errors) throw error;
      if (errors.token) return refuse(request, reply);
      const withProblems = fields.map((field) => ({ ...field, problem: errors[field.name]?.join(" ") }));
      return sendForm(reply, 422, withProblems);
    }
  });

  async function setUp(
    request: FastifyRequest,
    fields: readonly Field[],
  ): Promise<{ team: StartedTeam; passwordHash: string }> {
    const value = (name: string) => fields.find((field) => field.name === name)?.value ?? "";
    const passwordHash = await hashPassword(value("password"));
    const team = await perform({ kind: "system", teamId: newId(), ip: request.ip }, setupTeam, {
      teamName: value("team_name").trim(),
      ownerName: value("name").trim(),
      email: value("email").trim(),
      passwordHash,
      widgetName: value("widget_name").trim(),
      apiKeyName: FIRST_KEY_NAME,
      setupToken: tokenOf(request),
    });
    return { team, passwordHash };
  }

  async function stateOf(request: FastifyRequest) {
    return perform({ kind: "system", teamId: newId() }, getSetupState, { token: tokenOf(request) });
  }

  async function isOpen(request: FastifyRequest): Promise<boolean> {
    return (await stateOf(request)) === "open";
  }

  async function refuse(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const done = (await stateOf(request)) === "done";
    return sendPlainPage(reply, 403, texts.lang, done ? texts.setupClosed : texts.setupRefused);
  }
}

function tokenOf(request: FastifyRequest): string {
  const { token } = request.query as { token?: unknown };
  return typeof token === "string" ? token : "";
}

/** The fields with the submitted values; a missing or repeated one has no value. */
function formFields(form: Form | undefined): Field[] {
  const fields: Field[] = [
    { name: "team_name", label: t.teamName, hint: t.teamNameHint, autocomplete: "organization" },
    { name: "name", label: t.ownerName, autocomplete: "name" },
    { name: "email", label: t.email, type: "email", autocomplete: "email" },
    {
      name: "password",
      label: t.password,
      hint: texts.form.passwordHint(PASSWORD_MIN),
      type: "password",
      autocomplete: "new-password",
    },
    { name: "widget_name", label: t.widgetName, hint: t.widgetNameHint, autocomplete: "off" },
  ];
  return fields.map((field) => ({ ...field, value: onlyValue(form, field.name) }));
}

function checked(fields: readonly Field[]): Field[] {
  const sent = (name: string) => fields.find((field) => field.name === name)?.value;
  const owner = { name: sent("name"), email: sent("email"), teamName: sent("team_name") };
  return fields.map((field) => ({ ...field, problem: problemOf(field, owner) }));
}

function problemOf({ type, value }: Field, owner: PasswordOwner): string | undefined {
  if (!value?.trim()) return texts.form.missing;
  const problem = valueProblem(type, value, owner);
  return problem && sentenceOf(problem);
}

function valueProblem(type: Field["type"], value: string, owner: PasswordOwner): GivenReason | undefined {
  if (type === "email") return emailProblem(value.trim());
  if (type === "password") return passwordProblem(value, owner);
  return nameProblem(value.trim());
}

function sendForm(reply: FastifyReply, status: number, fields: readonly Field[]): FastifyReply {
  const summary = problemSummary(texts.form.summary, fields);
  // Without an action the form is sent to its own address, including the token and any path before ours.
  const main = html`<h1>${t.title}</h1>
<p>${t.intro}</p>
${summary}
<form method="post" novalidate>
${fields.map(fieldMarkup)}
<button type="submit">${t.submit}</button>
</form>`;
  const title = summary ? texts.form.errorTitle(t.title) : t.title;
  return sendPage(reply, status, { lang: texts.lang, title, main, hasForm: true });
}

function sendDone(reply: FastifyReply, publicUrl: string, team: StartedTeam): FastifyReply {
  const done = texts.setupDone;
  const body = JSON.stringify({ widget_id: team.widgetId, content: done.firstMessage });
  const example = `curl -X POST ${publicUrl}/api/v1/conversations \\
  -H 'X-API-KEY: ${team.apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`;
  const main = html`<h1>${done.title}</h1>
<p>${done.intro}</p>
<dl>
<dt>${done.apiKey}</dt><dd><code>${team.apiKey}</code></dd>
<dt>${done.widgetId}</dt><dd><code>${team.widgetId}</code></dd>
<dt>${done.teamId}</dt><dd><code>${team.teamId}</code></dd>
</dl>
<p><a href="app">${done.open}</a></p>
<p><a href="demo/${team.widgetId}">${done.demo}</a></p>
<h2>${done.tryTitle}</h2>
<p>${done.tryIntro}</p>
<pre>${example}</pre>`;
  return sendPage(reply, 200, { lang: texts.lang, title: done.title, main });
}
