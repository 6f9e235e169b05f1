import type { PageRequest } from "@frontdesk/core/domain/page";
import { notFound } from "@frontdesk/core/domain/refusal";
import { audit } from "../../audit/audit.ts";
import { auditedChannel } from "../../channels/create-channel.ts";
import { findShownAccount } from "../../channels/shown-account.ts";
import type { Operation } from "../../context.ts";
import { type Listed, pageWindow } from "../../list.ts";
import type { MailSuppressionRow } from "../../storage/tables.ts";
import { foldAddress } from "../rules/mail-address.ts";
import { deleteSuppression, suppressionPage, suppressionTotal } from "./outgoing-mail-store.ts";

/**
 * The addresses that nothing is sent to from an account, newest first.
 *
 * @throws Refusal `not-found`
 */
export const listSuppressions: Operation<PageRequest & { accountId: string }, Listed<MailSuppressionRow>> = {
  name: "list-suppressions",
  mode: "read",
  async run(ctx, { accountId, ...page }) {
    const { row } = await findShownAccount(ctx, accountId);
    const of = { team_id: ctx.teamId, account_id: row.id };
    const [rows, counted] = await Promise.all([
      ctx.db.all(suppressionPage, { ...of, ...pageWindow(page) }),
      ctx.db.first(suppressionTotal, of),
    ]);
    return { rows, total: counted?.total ?? 0 };
  },
};

/**
 * Lets mails go to an address again; a repeat finds none.
 *
 * @throws Refusal `not-found`
 */
export const allowAddress: Operation<{ accountId: string; address: string }, void> = {
  name: "delete-suppression",
  mode: "write",
  async run(ctx, { accountId, address }) {
    const { row } = await findShownAccount(ctx, accountId);
    const of = { team_id: ctx.teamId, account_id: row.id, address: foldAddress(address) };
    if ((await ctx.db.run(deleteSuppression, of)) === 0) throw notFound("suppression");
    audit(ctx, { channel: auditedChannel(row) });
  },
};
