/**
 * A visitor asks for their data themselves (docs/decisions/0056-export.md):
 *
 * ```
 * page of a widget --> ask-for-own-data --> job --> mail-own-data-link --> mail with a link (1 hour)
 *   --> show-own-data --> confirm-own-data --> an export without notes --> open-own-data (7 days)
 * ```
 */
import { foldText } from "@frontdesk/core/domain/folded-text";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { WidgetLanguage } from "@frontdesk/core/domain/widget-settings";
import { newToken, tokenHash } from "../access/token.ts";
import { audit } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import type { FileState } from "../files/file.ts";
import { fileByToken } from "../files/file-store.ts";
import type { JobHandler } from "../jobs/job.ts";
import type { Perform } from "../perform.ts";
import type { ExportRow, FileRow } from "../storage/tables.ts";
import { teamById } from "../teams/team-store.ts";
import { type ExportState, LINK_LIFE_MS } from "./export.ts";
import { confirmExport, contactsOfEmail, exportsOfLink, insertExport, requestedExports } from "./export-store.ts";
import { ownDataMail } from "./own-data-mail.ts";
import { expiryOf, exportName, exportState, type ShownExport } from "./shown-export.ts";
import { startExport } from "./start-export.ts";

/** More than that have one address only where it is nobody's own. */
const MOST_CONTACTS = 20;
/** Of one contact in an hour: as many as other mails to one address. */
const MOST_LINKS = 3;

export interface DataRequest {
  email: string;
  language: WidgetLanguage;
  /** The beginning of the address of the link. */
  linkUrl: string;
}

/** The team of a page on which visitors may ask for their data; undefined where they may not. */
export const showDataPage: Operation<Record<string, never>, { teamName: string } | undefined> = {
  name: "show-data-page",
  mode: "read",
  async run(ctx) {
    const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
    return team && ctx.sendsMail && team.data_requests === 1 ? { teamName: team.name } : undefined;
  },
};

/** The same work whether the address is known or not: what takes longer for a known one is done by a job. */
export const askForOwnData: Operation<DataRequest, void> = {
  name: "ask-for-own-data",
  mode: "write",
  async run(ctx, request) {
    ctx.enqueue({ kind: "mail-own-data-link", payload: { ...request } });
  },
};

export function mailOwnDataLinkJob(perform: () => Perform): JobHandler<"mail-own-data-link"> {
  return (request, { teamId }) => perform()({ kind: "system", teamId }, mailOwnDataLink, request);
}

/** Mails a link to the address of the contacts who have it, as it is stored there; to an unknown one nothing. */
export const mailOwnDataLink: Operation<DataRequest, void> = {
  name: "mail-own-data-link",
  mode: "write",
  async run(ctx, { email, language, linkUrl }) {
    const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
    if (!team?.data_requests || !ctx.sendsMail) return;
    const found = await ctx.db.all(contactsOfEmail, {
      team_id: ctx.teamId,
      email_folded: foldText(email),
      limit: MOST_CONTACTS,
    });
    // What folds to the same may be another mailbox, and an address beside a vouched one may belong to another person at the same computer.
    const isTheirs = (address: string) => address.toLowerCase() === email.toLowerCase();
    const contacts = found.filter((each) => isTheirs(each.email) && isTheirs(each.verified_email ?? each.email));
    const [first] = contacts;
    if (!first) return;
    const earlier = await ctx.db.all(requestedExports, { team_id: ctx.teamId, contact_id: first.id });
    if (earlier.length >= MOST_LINKS) return;
    const link = newToken("data", ctx.teamId, ctx.random);
    for (const { id } of contacts) request(ctx, id, tokenHash(link));
    const payload = ownDataMail({ to: first.email, teamName: team.name, language, link: `${linkUrl}${link}` });
    ctx.enqueue({ kind: "send-mail", payload });
  },
};

function request(ctx: Context, contact_id: string, link_hash: string): void {
  const row: ExportRow = {
    team_id: ctx.teamId,
    id: ctx.newId(),
    contact_id,
    state: "requested" satisfies ExportState,
    include_notes: 0,
    token: newToken("export", ctx.teamId, ctx.random),
    link_hash,
    requested_by: JSON.stringify({ visitor: { id: contact_id } }),
    requested_at: ctx.now,
    finished_at: null,
    size: null,
  };
  ctx.write(insertExport, row);
  ctx.setTimer({ kind: "expire-export", subjectId: row.id, dueAt: ctx.now + LINK_LIFE_MS });
}

/** What the page of a link shows. */
export interface OwnData {
  teamName: string;
  isConfirmed: boolean;
  files: (Pick<ShownExport, "state" | "expiresAt"> & Pick<ExportRow, "id" | "size"> & { name: string })[];
}

/** @throws Refusal `not-found` for a link that is unknown or has expired, and when everything behind it is deleted */
export const showOwnData: Operation<{ link: string }, OwnData> = {
  name: "show-own-data",
  mode: "read",
  async run(ctx, { link }) {
    const rows = await exportsBehind(ctx, link);
    const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
    return {
      teamName: team?.name ?? "",
      isConfirmed: !rows.some(isRequested),
      files: rows.map((row) => ({
        id: row.id,
        name: exportName(row.requested_at),
        size: row.size,
        state: exportState(row, ctx.now),
        expiresAt: expiryOf(row),
      })),
    };
  },
};

/**
 * Who holds the link has asked for it: the exports are made. A repeat changes nothing.
 *
 * @throws Refusal `not-found` as `showOwnData`
 */
export const confirmOwnData: Operation<{ link: string }, void> = {
  name: "confirm-own-data",
  mode: "write",
  async run(ctx, { link }) {
    for (const row of (await exportsBehind(ctx, link)).filter(isRequested)) {
      ctx.write(confirmExport, { team_id: ctx.teamId, id: row.id, requested_at: ctx.now });
      startExport(ctx, row);
      audit(ctx, { visitor: { id: row.contact_id } });
    }
  },
};

/**
 * The file of an export, for whoever holds the link.
 *
 * @throws Refusal `not-found` also for one that is not made yet
 */
export const openOwnData: Operation<{ link: string; exportId: string }, FileRow> = {
  name: "open-own-data",
  mode: "read",
  async run(ctx, { link, exportId }) {
    const row = (await exportsBehind(ctx, link)).find(({ id }) => id === exportId);
    const file = row && (await ctx.db.first(fileByToken, { team_id: ctx.teamId, token_hash: tokenHash(row.token) }));
    if (file?.state !== ("stored" satisfies FileState)) throw notFound("export");
    return file;
  },
};

async function exportsBehind(ctx: Context, link: string): Promise<ExportRow[]> {
  const rows = await ctx.db.all(exportsOfLink, { team_id: ctx.teamId, link_hash: tokenHash(link) });
  const standing = rows.filter((row) => {
    const end = isRequested(row) ? row.requested_at + LINK_LIFE_MS : expiryOf(row);
    return end === null || end > ctx.now;
  });
  if (standing.length === 0) throw notFound("export");
  return standing;
}

const isRequested = ({ state }: ExportRow): boolean => state === ("requested" satisfies ExportState);
