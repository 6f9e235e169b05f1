import type { AuditEntry } from "@frontdesk/core/contract/session";
import { type AuditedOperation, auditedOperations } from "@frontdesk/core/domain/policy";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Download, KeyRound, ScrollText, Server } from "lucide-react";
import { useCallback, useState } from "react";
import { agentsQuery } from "../../service/agents.ts";
import { apiKeysQuery } from "../../service/api-keys.ts";
import { askSession } from "../../service/ask-session.ts";
import { agentName } from "../../texts/agent-name.ts";
import { momentOf } from "../../texts/dates.ts";
import { language, t } from "../../texts/texts.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { MoreRows } from "../../ui/more-rows.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { showProblem } from "../../ui/toast.ts";
import { downloadAuditLog } from "./audit-download.ts";
import { auditAction, auditActor, auditSentence } from "./audit-sentence.ts";

/** The audit log, newest first. */
export function AuditLogPart() {
  const [action, setAction] = useState<AuditedOperation>();
  const [actorId, setActorId] = useState<string>();
  const [actions] = useState(allActions);
  const asked = { ...(action && { action }), ...(actorId && { actor_id: actorId }) };
  const found = useInfiniteQuery({
    queryKey: ["audit-log", asked],
    queryFn: ({ pageParam: before }) =>
      askSession("listAuditLog", { query: { ...asked, ...(before !== null && { before }) } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  const more = useCallback(() => void found.fetchNextPage(), [found.fetchNextPage]);
  const entries = found.data?.pages.flatMap((page) => page.entries) ?? [];
  const isFiltered = action !== undefined || actorId !== undefined;
  return (
    <Section title={t("settings.audit")} text={t("audit.text")} actions={<DownloadButton asked={asked} />}>
      <div className="mb-4 grid gap-3 md:grid-cols-2">
        <Field label={t("audit.who")}>
          <Who value={actorId} onChange={setActorId} />
        </Field>
        <Field label={t("audit.what")}>
          <Select
            value={action ?? ""}
            onChange={({ target }) => setAction((target.value || undefined) as AuditedOperation | undefined)}
          >
            <option value="">{t("filter.any")}</option>
            {actions.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {found.isPending && <SkeletonRows rows={8} height={52} />}
      {found.isError && (
        <EmptyState icon={ScrollText} title={t("trouble.title")} text={problemText(found.error)}>
          <Button onClick={() => found.refetch()}>{t("tryAgain")}</Button>
        </EmptyState>
      )}
      {found.isSuccess && entries.length === 0 && (
        <EmptyState
          icon={ScrollText}
          title={isFiltered ? t("nothingFound") : t("audit.none")}
          text={isFiltered ? t("audit.noneFound") : undefined}
        />
      )}
      <ul aria-label={t("settings.audit")}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      <MoreRows shown={found.hasNextPage} busy={found.isFetchingNextPage} onMore={more} />
    </Section>
  );
}

/** Sorted by their texts. */
function allActions(): { name: AuditedOperation; label: string }[] {
  return auditedOperations
    .map((name) => ({ name, label: auditAction(name) }))
    .sort((one, other) => one.label.localeCompare(other.label, language));
}

/** The agents of the team, and its API keys. */
function Who({ value, onChange }: { value: string | undefined; onChange(id: string | undefined): void }) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: keys = [] } = useQuery(apiKeysQuery);
  return (
    <Select value={value ?? ""} onChange={({ target }) => onChange(target.value || undefined)}>
      <option value="">{t("filter.any")}</option>
      <optgroup label={t("settings.people")}>
        {agents.map(({ id, attributes }) => (
          <option key={id} value={id}>
            {agentName(attributes)}
          </option>
        ))}
      </optgroup>
      {keys.length > 0 && (
        <optgroup label={t("audit.keys")}>
          {keys.map(({ id, name, ending }) => (
            <option key={id} value={id}>
              {name} …{ending}
            </option>
          ))}
        </optgroup>
      )}
    </Select>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { actor, at, ip } = entry;
  const { data: agents } = useQuery(agentsQuery);
  const photo = agents?.find(({ id }) => id === actor.id)?.attributes.profile_photo_url;
  const Icon = actor.kind === "api-key" ? KeyRound : Server;
  return (
    <li className="flex items-start gap-3 border-line border-t py-2.5 first:border-t-0">
      {actor.kind === "agent" && actor.id ? (
        <Avatar id={actor.id} name={actor.name} photo={photo} />
      ) : (
        <span
          className="flex size-8 shrink-0 items-center justify-center rounded-full bg-active text-muted"
          aria-hidden="true"
        >
          <Icon size={16} />
        </span>
      )}
      <div className="min-w-0 flex-1">
        <p className="break-words">{auditSentence(entry)}</p>
        <p className="numbers text-meta text-subtle">
          <bdi className="font-medium text-muted">{auditActor(actor)}</bdi>
          <span className="whitespace-nowrap">
            {" · "}
            <bdi>
              <time dateTime={at}>{momentOf(at)}</time>
            </bdi>
          </span>
          {ip && (
            <span className="whitespace-nowrap">
              {" · "}
              <bdi>{ip}</bdi>
            </span>
          )}
        </p>
      </div>
    </li>
  );
}

function DownloadButton({ asked }: { asked: Parameters<typeof downloadAuditLog>[0] }) {
  const [busy, setBusy] = useState(false);
  return (
    <Button
      disabled={busy}
      onClick={() => {
        setBusy(true);
        downloadAuditLog(asked)
          .catch((error) => showProblem(problemText(error)))
          .finally(() => setBusy(false));
      }}
    >
      <Download size={14} aria-hidden="true" />
      {busy ? t("loading") : t("audit.download")}
    </Button>
  );
}
