import { sessionOperations } from "@frontdesk/core/contract/session";
import type { FastifyInstance } from "fastify";
import type { ReceiveArticleFile } from "../../knowledge/files/receive-article-file.ts";
import { listArticleOrigins } from "../../knowledge/list-article-origins.ts";
import { addSite } from "../../knowledge/site/add-site.ts";
import { listSites } from "../../knowledge/site/list-sites.ts";
import { presentSite } from "../../knowledge/site/present-site.ts";
import { readSiteAgain } from "../../knowledge/site/read-site-again.ts";
import { removeSite } from "../../knowledge/site/remove-site.ts";
import type { DraftFromConversation } from "../../knowledge/suggested/draft-from-conversation.ts";
import type { Perform } from "../../perform.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

/** Where articles come from besides agents: sites, files and conversations. */
export async function sourceRoutes(
  app: FastifyInstance,
  services: SessionDoors & {
    perform: Perform;
    receiveArticleFile: ReceiveArticleFile;
    draftFromConversation: DraftFromConversation;
  },
): Promise<void> {
  const { perform, receiveArticleFile, draftFromConversation } = services;
  const serve = sessionEndpoints(app, services);

  serve(sessionOperations.listSites, async ({ agent }) => ({
    sites: (await perform(agent, listSites, {})).map(presentSite),
  }));

  serve(sessionOperations.addSite, async ({ agent, body }) => {
    const site = await perform(agent, addSite, body);
    return { site: presentSite({ site, pages: 0, troubled: 0 }) };
  });

  serve(sessionOperations.readSiteAgain, async ({ agent, params }) => ({
    site: presentSite(await perform(agent, readSiteAgain, { siteId: params.id })),
  }));

  serve(sessionOperations.removeSite, async ({ agent, params }) => {
    await perform(agent, removeSite, { siteId: params.id });
    return {};
  });

  serve(sessionOperations.importArticleFile, async ({ agent, query: { name, as }, request: { upload } }) => {
    if (!upload) throw new Error("The route was reached without a body.");
    const { articles, isWhole } = await receiveArticleFile(agent, { name, ...upload, isPublished: as === "published" });
    return { article_ids: articles.map(({ id }) => id), is_whole: isWhole };
  });

  serve(sessionOperations.suggestArticle, async ({ agent, params, reply }) => {
    // The model is asked no longer than the agent waits.
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    const asked = { conversationId: params.id, signal: gone.signal };
    const { article, isNew } = await draftFromConversation(agent, asked);
    return { article_id: article.id, question: article.question, is_new: isNew };
  });

  serve(sessionOperations.listArticleOrigins, async ({ agent, query }) => ({
    origins: await perform(agent, listArticleOrigins, { articleIds: query.articles.split(",") }),
  }));
}
