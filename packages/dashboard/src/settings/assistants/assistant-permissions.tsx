import type { AssistantPermission } from "@frontdesk/core/domain/assistant-permissions";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { CheckRow } from "../../ui/check-row.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { inGroups, type KnownPermission } from "./assistant-permission-groups.ts";
import { permissionsQuery } from "./assistants-query.ts";

/**
 * Checkboxes for an assistant's permissions, each with the tools that it allows.
 *
 * @param mute no agent is chosen for its replies
 * @param onlyReads only those that read are offered
 */
export function AssistantPermissions({
  value,
  mute,
  onlyReads = false,
  onChange,
}: {
  value: readonly AssistantPermission[];
  mute: boolean;
  onlyReads?: boolean | undefined;
  onChange(value: readonly AssistantPermission[]): void;
}) {
  const { data: permissions } = useQuery(permissionsQuery);
  const groups = inGroups((permissions ?? []).filter(({ only_reads }) => only_reads || !onlyReads));
  const all = groups.flatMap((group) => group.permissions);
  const set = (chosen: readonly KnownPermission[]) => onChange(chosen.map((each) => each.value));
  return (
    <fieldset className="min-w-0">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <legend className="me-auto font-medium max-md:w-full">{t("assistants.permissions")}</legend>
        <Button size="compact" onClick={() => set(all.filter(({ only_reads }) => only_reads))}>
          {t("assistants.onlyRead")}
        </Button>
        {!onlyReads && (
          <Button size="compact" onClick={() => set(all)}>
            {t("assistants.everything")}
          </Button>
        )}
        <Button size="compact" onClick={() => set([])}>
          {t("assistants.nothing")}
        </Button>
      </div>
      {permissions === undefined && <SkeletonRows rows={4} height={48} />}
      <div className="gap-x-6 md:columns-2">
        {permissions !== undefined &&
          groups
            .filter((each) => each.permissions.length > 0)
            .map(({ group, permissions: inGroup }) => (
              <fieldset key={group} className="mb-3 min-w-0 break-inside-avoid">
                <legend className="pb-1 font-medium text-label text-subtle">{t(`assistants.group.${group}`)}</legend>
                {inGroup.map((permission) => (
                  <CheckRow
                    key={permission.value}
                    label={t(`assistants.may.${permission.value}`)}
                    hint={<Opened tools={permission.tools} />}
                    checked={value.includes(permission.value)}
                    onChange={(on) =>
                      set(all.filter((each) => (each === permission ? on : value.includes(each.value))))
                    }
                  />
                ))}
              </fieldset>
            ))}
      </div>
      {mute && value.includes("send_replies") && (
        <p role="status" className="mt-2 text-warning">
          {t("assistants.mute")}
        </p>
      )}
    </fieldset>
  );
}

/** Its tools, and whether a person confirms them first. */
function Opened({ tools }: Pick<KnownPermission, "tools">) {
  return tools.map(({ name, asks_first }, index) => (
    <Fragment key={name}>
      {index > 0 && ", "}
      <bdi className="font-mono">{name}</bdi>
      {asks_first && ` (${t("assistants.asksFirst")})`}
    </Fragment>
  ));
}
