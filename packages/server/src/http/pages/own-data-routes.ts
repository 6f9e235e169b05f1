import { hash } from "node:crypto";
import { EMAIL_MAX } from "@frontdesk/core/contract";
import { fileSizeText } from "@frontdesk/core/domain/file-size";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { notFound, Refusal } from "@frontdesk/core/domain/refusal";
import { bestWidgetLanguage, type WidgetLanguage } from "@frontdesk/core/domain/widget-settings";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { SystemActor } from "../../access/actor.ts";
import { tokenTeam } from "../../access/token.ts";
import type { FileStorage } from "../../files/file-storage.ts";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";
import type { Perform } from "../../perform.ts";
import {
  askForOwnData,
  confirmOwnData,
  type OwnData,
  openOwnData,
  showDataPage,
  showOwnData,
} from "../../privacy/own-data.ts";
import { ownDataTexts } from "../../privacy/own-data-texts.ts";
import { emailProblem } from "../../setup/person-fields.ts";
import { contentDisposition } from "../files/content-disposition.ts";
import { acceptedLanguages } from "./accepted-languages.ts";
import { answerPageError } from "./answer-page-error.ts";
import { en } from "./locales/en.ts";
import { html, type Markup, sendPage } from "./page.ts";

/** An e-mail address and no more. */
const FORM_BYTES = 4_096;

interface OwnDataServices {
  perform: Perform;
  authenticate: { teamOfWidget(widgetId: string): Promise<SystemActor> };
  bounds: StrangerBounds;
  fileStorage: FileStorage;
  publicUrl: string;
}

type OfWidget = FastifyRequest<{ Params: { widget: string } }>;
type OfLink = FastifyRequest<{ Params: { link: string } }>;

/**
 * Pages by which visitors ask for their data and get it (docs/decisions/0056-export.md). They run no script. Opening the link of the
 * mail changes nothing: programs that check mails open links, too.
 */
export async function ownDataRoutes(
  app: FastifyInstance,
  { perform, authenticate, bounds, fileStorage, publicUrl }: OwnDataServices,
): Promise<void> {
  app.setErrorHandler(answerError);
  app.addHook("onRequest", ({ ip }) => bounds.take({ address: ip }, { "data-requests": 1 }));
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: FORM_BYTES },
    async (_request: FastifyRequest, text: string) => new URLSearchParams(text),
  );
  const quiet = { config: { readsQuery: false } };

  app.get("/my-data/:widget", quiet, async (request: OfWidget, reply) => {
    const { page } = await pageOf(request);
    return page ? sendForm(request, reply, page.teamName) : sendOff(request, reply);
  });

  app.post("/my-data/:widget", quiet, async (request: OfWidget, reply) => {
    const { team, page } = await pageOf(request);
    if (!team || !page) return sendOff(request, reply);
    const email = ((request.body as URLSearchParams | null)?.get("email") ?? "").trim();
    if (emailProblem(email)) return sendForm(request, reply, page.teamName, email);
    const { language, texts } = textsFor(request);
    // Counted before it is looked up, so that the answer says nothing about the address.
    await bounds.take({ team: team.teamId, mailbox: hash("sha256", foldText(email)) }, { "data-requests": 1 });
    await perform(team, askForOwnData, { email, language, linkUrl: `${publicUrl}/my-data/link/` });
    const body = html`<p>${texts.sentText(page.teamName)}</p>`;
    return sendPage(reply, 200, language, { title: texts.sentTitle, mark: page.teamName, body });
  });

  app.get("/my-data/link/:link", quiet, async (request: OfLink, reply) => {
    const { link } = request.params;
    return sendData(request, reply, await perform(holderOf(request), showOwnData, { link }));
  });

  app.post("/my-data/link/:link", quiet, async (request: OfLink, reply) => {
    const { link } = request.params;
    await perform(holderOf(request), confirmOwnData, { link });
    // A reload asks for nothing again.
    return reply.redirect(link, 303);
  });

  app.get<{ Params: { link: string; id: string; name: string } }>(
    "/my-data/link/:link/:id/:name",
    quiet,
    async (request, reply) => {
      const { link, id: exportId } = request.params;
      const actor = holderOf(request);
      const { id, name, size } = await perform(actor, openOwnData, { link, exportId });
      const content = await fileStorage.read({ teamId: actor.teamId, id });
      if (!content) throw notFound("export");
      return reply
        .headers({
          "Content-Type": "application/zip",
          "Content-Disposition": contentDisposition("attachment", name),
          "Content-Length": size,
          "Content-Security-Policy": "default-src 'none'; sandbox",
          "Cache-Control": "no-store",
          "X-Robots-Tag": "noindex",
        })
        .send(content);
    },
  );

  async function pageOf(request: OfWidget) {
    const team = await authenticate.teamOfWidget(request.params.widget).catch(unlessUnknown);
    return { team, page: team && (await perform(team, showDataPage, {})) };
  }
}

/** A link acts as the system of its team. */
function holderOf({ params, ip }: OfLink): SystemActor {
  const teamId = tokenTeam("data", params.link);
  if (teamId === undefined) throw notFound("export");
  return { kind: "system", teamId, ip };
}

function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof Refusal && error.reason.name === "not-found")) throw error;
}

function textsFor(request: FastifyRequest) {
  const language = bestWidgetLanguage(acceptedLanguages(request));
  return { language, texts: ownDataTexts[language] };
}

/** @param wrong what was typed instead of an address */
function sendForm(request: FastifyRequest, reply: FastifyReply, teamName: string, wrong?: string): FastifyReply {
  const { language, texts } = textsFor(request);
  const isWrong = wrong !== undefined;
  const body = html`<p>${texts.askText(teamName)}</p>
<form method="post" novalidate>
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" dir="ltr" autocomplete="email" required maxlength="${EMAIL_MAX}" value="${wrong ?? ""}"${
    isWrong ? html` aria-invalid="true" aria-describedby="wrong" autofocus` : undefined
  }>
${isWrong ? html`<p id="wrong" class="wrong">${texts.emailWrong}</p>` : undefined}
<button class="action">${texts.send}</button>
</form>`;
  return sendPage(reply, isWrong ? 422 : 200, language, { title: texts.askTitle, mark: teamName, body });
}

function sendOff(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { language, texts } = textsFor(request);
  return sendPage(reply, 404, language, {
    title: texts.offTitle,
    mark: "Frontdesk",
    body: html`<p>${texts.offText}</p>`,
  });
}

function sendData(request: OfLink, reply: FastifyReply, data: OwnData): FastifyReply {
  const { language, texts } = textsFor(request);
  const { link } = request.params;
  const mark = data.teamName;
  if (!data.isConfirmed) {
    const body = html`<p>${texts.confirmText(mark)}</p>
<form method="post"><button class="action">${texts.confirm}</button></form>`;
    return sendPage(reply, 200, language, { title: texts.confirmTitle, mark, body });
  }
  const files = data.files.filter(({ state }) => state === "done");
  if (data.files.some(({ state }) => state === "running")) {
    const body = html`<p>${texts.makingText}</p>
<p><a class="action" href="${link}">${texts.look}</a></p>`;
    return sendPage(reply, 200, language, { title: texts.makingTitle, mark, body });
  }
  if (files.length === 0) {
    return sendPage(reply, 200, language, { title: texts.failedTitle, mark, body: html`<p>${texts.failedText}</p>` });
  }
  const until = Math.min(...files.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY));
  const body = html`<p>${texts.readyText(dateIn(language, until))}</p>
<ul class="files">${files.map(({ id, name, size }) => downloadItem(`${link}/${id}/${name}`, texts.download(fileSizeText(size ?? 0, language))))}</ul>`;
  return sendPage(reply, 200, language, { title: texts.readyTitle, mark, body });
}

const downloadItem = (href: string, text: string): Markup => html`<li><a class="action" href="${href}">${text}</a></li>
`;

const dateIn = (language: WidgetLanguage, at: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(at);

/** What visitors can do something about is said in their language. */
function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { language, texts } = textsFor(request);
  if (error instanceof Refusal && error.reason.name === "not-found") {
    const body = html`<p>${texts.goneText}</p>`;
    return sendPage(reply, 404, language, { title: texts.goneTitle, mark: "Frontdesk", body });
  }
  if (error instanceof Refusal && error.reason.name === "rate-limited") {
    reply.header("retry-after", error.reason.retryAfterSeconds);
    const body = html`<p>${texts.tooManyText}</p>`;
    return sendPage(reply, 429, language, { title: texts.tooManyTitle, mark: "Frontdesk", body });
  }
  return answerPageError(en)(error, request, reply);
}
