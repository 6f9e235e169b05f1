/** What the dashboard requests of apps that connect by address (docs/decisions/0068-authorization-server.md). */
import type { Static } from "typebox";
import { Type } from "typebox";
import { appReachProblems } from "../domain/app-reach.ts";
import { appResources } from "../domain/app-resource.ts";
import { allOr, choice, idOf, nullable, text, uuid } from "./fields.ts";
import type { HttpOperation } from "./operation.ts";

/** The query of `/oauth/authorize`, as the browser brought it; its longest form in base64url. */
const query = text(12_000, { minLength: 1 });
const GRANTED_MAX = 100;
const names = (description: string) => allOr(text(100), { description, maxItems: GRANTED_MAX });
const widgets = "The widgets whose conversations it can see.";
const channels = "The other channels whose conversations it can see.";

/** An app that asks to be connected, and what there is of it. */
export const AppRequest = Type.Object({
  /** Nothing can be answered: the page says why. */
  problem: nullable(choice(["unreadable", "unknown-app", "unknown-redirect", "off"])),
  /** The request is wrong: the app gets the error at this address. */
  send_back: nullable(Type.String()),
  asked: nullable(
    Type.Object({
      name: Type.String(),
      /** The host that vouches for its name; null where it has only said it. */
      host: nullable(Type.String()),
      redirect_host: Type.String(),
      redirect_kind: choice(["website", "this-computer", "program"]),
      resource: choice(appResources),
      /** The connection that this app has of this person. */
      connection: nullable(
        Type.Object({
          id: uuid,
          permissions: Type.Array(Type.String()),
          widgets: allOr(uuid, { description: widgets }),
          channels: allOr(Type.String(), { description: channels }),
          agent_id: nullable(uuid),
        }),
      ),
      /** Whom to ask; empty for those who may answer themselves. */
      admins: Type.Array(Type.String()),
    }),
  ),
});
export type AppRequest = Static<typeof AppRequest>;

export const connectOperations = {
  /** By POST, because what an app has sent does not belong in a log. */
  getAppRequest: {
    method: "POST",
    path: "/connect/request",
    body: Type.Object({ query }),
    responses: { 200: { body: AppRequest } },
  },
  /** Where the browser goes next, with the code. */
  connectApp: {
    method: "POST",
    path: "/connect",
    body: Type.Object({
      query,
      permissions: names("What it can do."),
      widgets: allOr(idOf("a widget"), { description: widgets, maxItems: GRANTED_MAX }),
      channels: names(channels),
      agent_id: nullable(Type.String()),
    }),
    responses: { 200: { body: Type.Object({ redirect_to: Type.String() }) } },
  },
  /** Where the browser goes next, without one. Nothing is stored. */
  refuseApp: {
    method: "POST",
    path: "/connect/refusal",
    body: Type.Object({ query }),
    responses: { 200: { body: Type.Object({ redirect_to: Type.String() }) } },
  },
  /** What is pasted into apps; `off`: why there is nothing to paste. */
  getAppAddresses: {
    method: "GET",
    path: "/connect/addresses",
    responses: {
      200: {
        body: Type.Object({
          off: nullable(choice(["not-https", "has-path"])),
          public_url: Type.String(),
          mcp: nullable(Type.String()),
          readonly: nullable(Type.String()),
          /** Whether apps elsewhere can reach it at all: an address of the internet. */
          is_public: Type.Boolean(),
        }),
      },
    },
  },
  /** What keeps apps on the internet away, as far as this server sees. By POST, because it asks at its own address. */
  checkAppReach: {
    method: "POST",
    path: "/connect/reach",
    responses: {
      200: {
        body: Type.Object({
          problem: nullable(choice(appReachProblems)),
          url: Type.String(),
          /** A host, an address, a status, where it redirects to, or the system's code. */
          detail: Type.String(),
        }),
      },
    },
  },
} as const satisfies Record<string, HttpOperation>;
