import { sessionOperations } from "@frontdesk/core/contract/session";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance } from "fastify";
import type { AgentActor } from "../../access/actor.ts";
import { openOriginal } from "../../email/open-original.ts";
import { openQuoted } from "../../email/open-quoted.ts";
import type { MailHtml } from "../../email/parse/parsed-mail.ts";
import type { FetchImage } from "../../email/remote-images.ts";
import type { FileStorage } from "../../files/file-storage.ts";
import { wholeContent } from "../../files/whole-content.ts";
import type { Perform } from "../../perform.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

export interface MailRouteServices extends SessionDoors {
  perform: Perform;
  fileStorage: FileStorage;
  /** Reads the HTML of a mail outside of this thread; undefined for one without. */
  readHtml(load: () => Promise<Uint8Array>): Promise<MailHtml | undefined>;
  fetchImage: FetchImage;
}

const DAY_SECONDS = 86_400;

/** What the dashboard needs to show a mail as it was formatted. No HTML of a mail is ever served as a page. */
export async function mailSessionRoutes(app: FastifyInstance, services: MailRouteServices): Promise<void> {
  const { perform, fileStorage, readHtml, fetchImage } = services;
  const serve = sessionEndpoints(app, services);

  serve(sessionOperations.getQuotedText, async ({ agent, params }) => ({
    text: await perform(agent, openQuoted, { messageId: params.id }),
  }));

  serve(sessionOperations.getMailHtml, async ({ agent, params }) => {
    const { id } = await perform(agent, openOriginal, { messageId: params.id });
    const shown = await readHtml(() => original(agent, id));
    if (!shown) throw notFound("original");
    const { html, isCut, images } = shown;
    return { html, is_cut: isCut, images: images.map(({ contentId, url }) => ({ content_id: contentId, url })) };
  });

  serve(sessionOperations.getRemoteImage, async ({ agent, params, query, reply }) => {
    // Only for who reads such a mail: it is no way to the internet for others.
    await perform(agent, openOriginal, { messageId: params.id });
    const image = await fetchImage(query.url);
    if (!image) throw notFound("file");
    reply.headers({
      "Content-Type": image.mime,
      // Its host hears of it once a day.
      "Cache-Control": `private, max-age=${DAY_SECONDS}`,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cross-Origin-Resource-Policy": "same-origin",
    });
    return image.content;
  });

  async function original({ teamId }: AgentActor, id: string): Promise<Uint8Array> {
    const content = await fileStorage.read({ teamId, id });
    // The content was not copied when the data was moved.
    if (!content) throw notFound("original");
    return wholeContent(content);
  }
}
