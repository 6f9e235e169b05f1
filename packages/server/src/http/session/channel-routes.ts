import { sessionOperations } from "@frontdesk/core/contract/session";
import type { FastifyInstance } from "fastify";
import { askForMailServers, findMailServers, presentMailServers } from "../../email/find-mail-servers.ts";
import type { MailRecordsLookup } from "../../outbound/mail-records.ts";
import type { Perform } from "../../perform.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

/** What the settings of channels show besides the REST API. */
export async function channelSessionRoutes(
  app: FastifyInstance,
  services: SessionDoors & { perform: Perform; mailRecords: MailRecordsLookup },
) {
  const { perform, mailRecords } = services;
  const serve = sessionEndpoints(app, services);

  serve(sessionOperations.findMailServers, async ({ agent, body: { address } }) => {
    const found = await perform(agent, findMailServers, { address });
    return presentMailServers(await askForMailServers(found, mailRecords));
  });
}
