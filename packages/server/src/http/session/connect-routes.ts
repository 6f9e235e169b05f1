import { type AppRequest, sessionOperations } from "@frontdesk/core/contract/session";
import { isOfRank } from "@frontdesk/core/domain/agent";
import { resourceUrl } from "@frontdesk/core/domain/app-resource";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { readGrant } from "../../assistants/assistant.ts";
import {
  codeUrl,
  errorUrl,
  type ReadRequest,
  readAuthorizationRequest,
} from "../../authorization/authorization-request.ts";
import { uncarried } from "../../authorization/carried-query.ts";
import type { Reach } from "../../authorization/check-reach.ts";
import { appInWords, connectApp } from "../../authorization/connect-app.ts";
import { getAppAddresses } from "../../authorization/get-app-addresses.ts";
import { type Issuer, isOnInternet } from "../../authorization/issuer.ts";
import type { ResolveClient } from "../../authorization/resolve-client.ts";
import { showAppRequest } from "../../authorization/show-app-request.ts";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";
import { type Perform, requireMay } from "../../perform.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

/** The consent page of apps, and what is pasted into them. The request is checked at each step anew: nothing of it is stored. */
export async function connectSessionRoutes(
  app: FastifyInstance,
  services: SessionDoors & {
    perform: Perform;
    issuer: Issuer;
    publicUrl: string;
    bounds: StrangerBounds;
    resolveClient: ResolveClient;
    /** Asks at the address of the issuer. */
    checkReach(issuer: string): Promise<Reach>;
    now(): number;
  },
): Promise<void> {
  const { perform, issuer, publicUrl, bounds, resolveClient, checkReach, now } = services;
  const serve = sessionEndpoints(app, services);

  serve(sessionOperations.getAppRequest, async ({ agent, body, request }): Promise<AppRequest> => {
    // Also where the request turns out to be none.
    requireMay(agent, showAppRequest.name, now());
    const nothing = { problem: null, send_back: null, asked: null };
    if ("off" in issuer) return { ...nothing, problem: "off" };
    const read = await readAgain(body.query, request);
    if (read.outcome === "problem") return { ...nothing, problem: read.problem };
    if (read.outcome === "send-back") return { ...nothing, send_back: read.url };
    const { connection, admins } = await perform(agent, showAppRequest, { request: read.request });
    return {
      ...nothing,
      asked: {
        ...appInWords(read.request),
        resource: read.request.resource,
        connection: connection ? presentGrant(connection) : null,
        admins: isOfRank(agent.role, "admin") ? [] : admins,
      },
    };
  });

  serve(sessionOperations.connectApp, async ({ agent, body, request }) => {
    // Before a document is fetched for it.
    requireMay(agent, connectApp.name, now());
    const read = answerable(await readAgain(body.query, request));
    if ("url" in read) return { redirect_to: read.url };
    const { permissions, widgets, channels, agent_id: agentId } = body;
    const { code } = await perform(agent, connectApp, {
      request: read.request,
      grant: { permissions, widgets, channels, agentId },
    });
    return { redirect_to: codeUrl({ ...read.request, issuer: issuerUrl() }, code) };
  });

  serve(sessionOperations.refuseApp, async ({ agent, body, request }) => {
    requireMay(agent, showAppRequest.name, now());
    const read = answerable(await readAgain(body.query, request));
    if ("url" in read) return { redirect_to: read.url };
    // Whoever may see the question may say no to it.
    await perform(agent, showAppRequest, { request: read.request });
    const words = "The person did not allow it.";
    return { redirect_to: errorUrl({ ...read.request, issuer: issuerUrl() }, "access_denied", words) };
  });

  serve(sessionOperations.getAppAddresses, async ({ agent }) => {
    const at = (resource: "mcp" | "readonly") => ("url" in issuer ? resourceUrl(issuer.url, resource) : null);
    const addresses = await perform(agent, getAppAddresses, { mcp: at("mcp"), readonly: at("readonly") });
    const off = "off" in issuer ? issuer.off : null;
    return { off, public_url: publicUrl, ...addresses, is_public: isOnInternet(publicUrl) };
  });

  serve(sessionOperations.checkAppReach, async ({ agent }) => {
    await perform(agent, getAppAddresses, { mcp: null, readonly: null });
    if ("off" in issuer || !isOnInternet(publicUrl)) {
      return { problem: "private-address" as const, url: publicUrl, detail: new URL(publicUrl).host };
    }
    return checkReach(issuer.url);
  });

  async function readAgain(carriedQuery: string, request: FastifyRequest): Promise<ReadRequest> {
    const query = uncarried(carriedQuery);
    if (query === undefined) return { outcome: "problem", problem: "unreadable" };
    const count = () => bounds.take({ address: request.ip }, { "client-documents": 1 });
    return readAuthorizationRequest(query, issuerUrl(), (id) => resolveClient(id, count));
  }

  /** @throws Refusal `invalid` where no answer would reach the app */
  function answerable(read: ReadRequest) {
    if (read.outcome === "problem") throw invalid({ query: "app-request" });
    return read;
  }

  /** @throws Refusal `invalid` where apps cannot be connected at all */
  function issuerUrl(): string {
    if ("off" in issuer) throw invalid({ query: "app-request" });
    return issuer.url;
  }
}

function presentGrant(connection: Parameters<typeof readGrant>[0] & { id: string; agent_id: string | null }) {
  const { permissions, widgets, channels } = readGrant(connection);
  return {
    id: connection.id,
    permissions: [...permissions],
    widgets: widgets === "all" ? widgets : [...widgets],
    channels: channels === "all" ? channels : [...channels],
    agent_id: connection.agent_id,
  };
}
