import type { ApiKey } from "@frontdesk/core/contract/session";
import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { agentsQuery, type TeamMember } from "../../service/agents.ts";
import { apiKeysQuery } from "../../service/api-keys.ts";
import { askSession } from "../../service/ask-session.ts";
import { meQuery, useMay, useMe } from "../../service/me.ts";
import { queries } from "../../service/queries.ts";
import { ROOT } from "../../service/send.ts";
import { agentName } from "../../texts/agent-name.ts";
import { ago, dateOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { CodeToCopy } from "../../ui/copy-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showProblem, showToast } from "../../ui/toast.ts";
import { keyCommand } from "./key-command.ts";
import { scopesInWords } from "./key-scopes.ts";
import { type MadeKey, NewKeyForm } from "./new-key-form.tsx";

/** All agents by id, for a key's owner and whether they are still active. */
const ownersOf = (members: readonly TeamMember[]) =>
  new Map(
    members.map(({ id, attributes: { name, email, status } }) => [
      id,
      { name: agentName({ name, email }) || id, gone: status === "deactivated" },
    ]),
  );

const changed = () => queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey });

/** The API keys of the team. */
export function ApiKeysPart() {
  const found = useQuery(apiKeysQuery);
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<MadeKey>();
  const [revoking, setRevoking] = useState<ApiKey>();
  // Newest first; revoked and expired keys below.
  const keys = found.data?.toReversed().toSorted((one, other) => Number(isOver(one)) - Number(isOver(other))) ?? [];
  return (
    <>
      <Section
        title={t("apiKeys.title")}
        text={
          <>
            {t("apiKeys.text")}{" "}
            <a href={`${ROOT}/docs`} target="_blank" rel="noreferrer" className="text-accent-text underline">
              {t("apiKeys.reference")}
            </a>
          </>
        }
        actions={
          <Button look="primary" onClick={() => setAdding(true)}>
            <Plus size={14} aria-hidden="true" />
            {t("apiKeys.add")}
          </Button>
        }
      >
        {found.isPending && <SkeletonRows rows={3} height={60} />}
        {found.isError && (
          <EmptyState icon={KeyRound} title={t("trouble.title")} text={problemText(found.error)}>
            <Button onClick={() => found.refetch()}>{t("tryAgain")}</Button>
          </EmptyState>
        )}
        {found.data?.length === 0 && (
          <EmptyState icon={KeyRound} title={t("apiKeys.none")} text={t("apiKeys.noneText")} />
        )}
        <ul>
          {keys.map((key) => (
            <Row key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
          ))}
        </ul>
      </Section>
      <Access />
      {adding && (
        <NewKeyForm
          onClose={() => setAdding(false)}
          onMade={(key) => {
            setAdding(false);
            setMade(key);
            void changed();
          }}
        />
      )}
      <SecretDialog
        open={made !== undefined}
        title={t("apiKeys.madeTitle")}
        text={t("apiKeys.madeText")}
        label={made?.key.name ?? ""}
        value={made?.value ?? ""}
        onClose={() => {
          setMade(undefined);
          // A failed request may have been performed.
          void changed();
        }}
      >
        {made && <FirstRequest made={made} />}
      </SecretDialog>
      {revoking && (
        <ConfirmDialog
          title={t("apiKeys.revokeTitle", { name: revoking.name })}
          text={t("apiKeys.revokeText")}
          action={t("apiKeys.revoke")}
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await askSession("revokeApiKey", { params: { id: revoking.id } });
            await changed();
            showToast(t("apiKeys.revokedNow", { name: revoking.name }));
          }}
        />
      )}
    </>
  );
}

function FirstRequest({ made: { key, value } }: { made: MadeKey }) {
  const command = keyCommand(value, key.scopes);
  if (!command) return <p className="text-muted">{t("apiKeys.writesOnly")}</p>;
  return (
    <div>
      <p className="mb-1.5 font-medium">{t("apiKeys.try")}</p>
      <CodeToCopy label={t("apiKeys.try")} text={command} look="plain" />
    </div>
  );
}

function Row({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke(): void }) {
  const { name, ending, scopes, agent_id, created_at, expires_at, last_used_at, revoked_at } = apiKey;
  const { data: owners } = useQuery({ ...agentsQuery, select: ownersOf });
  const owner = owners?.get(agent_id);
  const over = isOver(apiKey);
  const facts = [
    owner?.name,
    t("apiKeys.made", { when: dateOf(created_at) }),
    last_used_at ? t("apiKeys.lastUsed", { when: ago(last_used_at) }) : t("apiKeys.neverUsed"),
    !over && (expires_at ? t("apiKeys.expiresOn", { when: dateOf(expires_at) }) : t("apiKeys.neverExpires")),
  ];
  return (
    <li className="flex items-center gap-3 border-line border-t py-3 first:border-t-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span dir="auto" className={cx("min-w-0 truncate font-medium", over && "text-muted")}>
            {name}
          </span>
          <code dir="ltr" className="font-mono text-meta text-subtle">
            …{ending}
          </code>
          {revoked_at && <Badge tone="danger">{t("apiKeys.revokedOn", { when: dateOf(revoked_at) })}</Badge>}
          {!revoked_at && over && expires_at && (
            <Badge tone="danger">{t("apiKeys.expiredOn", { when: dateOf(expires_at) })}</Badge>
          )}
          {!over && owner?.gone && <Badge tone="warning">{t("apiKeys.ownerGone")}</Badge>}
        </p>
        <p className="text-muted">{scopesInWords(scopes)}</p>
        <p className="text-meta text-subtle">{facts.filter(Boolean).join(" · ")}</p>
      </div>
      {!over && (
        <Button size="compact" aria-label={t("apiKeys.revokeNamed", { name })} onClick={onRevoke}>
          {t("apiKeys.revoke")}
        </Button>
      )}
    </li>
  );
}

/** Whether the key is revoked or expired. */
function isOver({ revoked_at, expires_at }: ApiKey): boolean {
  return revoked_at !== null || (expires_at !== null && Date.parse(expires_at) < Date.now());
}

/** The switch for all keys at once, only for the owner. */
function Access() {
  const { team } = useMe();
  const mayChange = useMay("update-team");
  const set = async (on: boolean) => {
    try {
      await askSession("setApiAccess", { body: { on } });
      await queries.invalidateQueries({ queryKey: meQuery.queryKey });
      showToast(on ? t("apiKeys.accessOn") : t("apiKeys.accessOff"), () => void set(!on));
    } catch (error) {
      showProblem(problemText(error));
    }
  };
  return (
    <Section title={t("apiKeys.access")}>
      <Switch
        label={t("apiKeys.accessLabel")}
        hint={mayChange ? t("apiKeys.accessHint") : t("apiKeys.accessOwner")}
        checked={team.api_access}
        disabled={!mayChange}
        onChange={set}
      />
    </Section>
  );
}
