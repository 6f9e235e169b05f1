import { sessionOperations } from "@frontdesk/core/contract/session";
import type { FastifyInstance } from "fastify";
import type { Perform } from "../../perform.ts";
import { type DataRequests, getDataRequests, setDataRequests } from "../../privacy/data-requests.ts";
import { listErasures } from "../../privacy/list-erasures.ts";
import { listHolds } from "../../privacy/list-holds.ts";
import { presentHold, presentListedErasure } from "../../privacy/present-privacy-lists.ts";
import { presentPreview } from "../../privacy/present-retention.ts";
import { previewRetention } from "../../privacy/preview-retention.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

/** What the settings of privacy show besides the REST API. */
export async function privacySessionRoutes(
  app: FastifyInstance,
  services: SessionDoors & { perform: Perform; publicUrl: string },
) {
  const { perform, publicUrl } = services;
  const serve = sessionEndpoints(app, services);

  serve(sessionOperations.previewRetention, async ({ agent, body }) => ({
    data: presentPreview(await perform(agent, previewRetention, body)),
  }));

  const shown = ({ allowed, widgets }: DataRequests) => ({
    allowed,
    pages: widgets.map(({ id, name }) => ({ widget: name, url: `${publicUrl}/my-data/${id}` })),
  });
  serve(sessionOperations.getDataRequests, async ({ agent }) => shown(await perform(agent, getDataRequests, {})));

  serve(sessionOperations.setDataRequests, async ({ agent, body }) =>
    shown(await perform(agent, setDataRequests, body)),
  );

  serve(sessionOperations.listHolds, async ({ agent }) => ({
    holds: (await perform(agent, listHolds, {})).map(presentHold),
  }));

  serve(sessionOperations.listErasures, async ({ agent }) => ({
    erasures: (await perform(agent, listErasures, {})).map(presentListedErasure),
  }));
}
