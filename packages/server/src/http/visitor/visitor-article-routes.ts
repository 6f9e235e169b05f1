import { createHash } from "node:crypto";
import { VISITOR_PREFIX, visitorArticles } from "@frontdesk/core/contract/visitor";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { SystemActor } from "../../access/actor.ts";
import { articleParts } from "../../knowledge/article-parts.ts";
import { readArticleAsVisitor, suggestArticlesToVisitor } from "../../knowledge/articles-for-visitors.ts";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";
import type { Perform } from "../../perform.ts";
import { serveOperation } from "../framework/serve-operation.ts";
import type { AtWidget } from "./visitor-door.ts";

/** How long a browser shows an article that has changed meanwhile. */
const KEPT_SECONDS = 60;

interface VisitorArticleServices {
  perform: Perform;
  authenticate: { teamOfWidget(widgetId: string): Promise<SystemActor> };
  bounds: StrangerBounds;
}

/** Published articles for the visitors of a widget (docs/decisions/0051-articles-for-visitors.md). Nobody is identified. */
export async function visitorArticleRoutes(
  app: FastifyInstance,
  { perform, authenticate, bounds }: VisitorArticleServices,
): Promise<void> {
  app.addHook("onSend", async (request, reply, payload) => withTag(request, reply, payload as string));

  const served = {
    prefix: VISITOR_PREFIX,
    async enter(request: FastifyRequest) {
      const address = request.ip;
      await bounds.take({ address }, { requests: 1 });
      request.widgetTeam = await authenticate.teamOfWidget((request as AtWidget).params.widget);
      await bounds.take({ address, team: request.widgetTeam.teamId }, { articles: 1 });
    },
  };

  serveOperation(app, visitorArticles.suggestArticles, {
    ...served,
    async answer({ request, query: { q: query } }) {
      const found = await perform(teamOf(request), suggestArticlesToVisitor, { widgetId: widgetOf(request), query });
      return { articles: found.map(({ id, question }) => ({ id, question })) };
    },
  });

  serveOperation(app, visitorArticles.readArticle, {
    ...served,
    async answer({ request, params: { article: articleId } }) {
      const read = await perform(teamOf(request), readArticleAsVisitor, { widgetId: widgetOf(request), articleId });
      const { id, question, answer } = read;
      return { article: { id, question, answer: articleParts(answer) } };
    },
  });
}

const widgetOf = (request: FastifyRequest): string => (request as AtWidget).params.widget;

function teamOf({ widgetTeam }: FastifyRequest): SystemActor {
  if (!widgetTeam) throw new Error("The route was reached without a team.");
  return widgetTeam;
}

/** An answer that the browser has already is not sent again. */
function withTag(request: FastifyRequest, reply: FastifyReply, payload: string): string {
  if (reply.statusCode !== 200) return payload;
  const etag = `"${createHash("sha256").update(payload).digest("base64url").slice(0, 22)}"`;
  reply.headers({ "Cache-Control": `private, max-age=${KEPT_SECONDS}`, ETag: etag });
  if (request.headers["if-none-match"] !== etag) return payload;
  reply.code(304).removeHeader("Content-Type");
  return "";
}

declare module "fastify" {
  interface FastifyRequest {
    /** The team of the widget in the address. */
    widgetTeam?: SystemActor;
  }
}
