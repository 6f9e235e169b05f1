import type { QueuedChange } from "@frontdesk/core/contract/resources";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { agentsQuery } from "../../service/agents.ts";
import { rest } from "../../service/rest.ts";
import { agentName } from "../../texts/agent-name.ts";
import { momentOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/page.tsx";
import { byPages } from "./assistants-query.ts";

const PAGE_SIZE = 20;
/** Polling interval while something is queued. */
const LOOK_AGAIN_MS = 2_000;

const TONES = { waiting: "note", done: "success", refused: "warning" } as const;

/** The assistant's bulk changes: what is queued, and the results. Hidden when there are none. */
export function AssistantQueued({ id }: { id: string }) {
  const found = useInfiniteQuery({
    queryKey: ["assistants", id, "queued"],
    queryFn: ({ pageParam }) =>
      rest.listAssistantQueuedChanges({ params: { assistant: id }, query: { page: pageParam, limit: PAGE_SIZE } }),
    ...byPages,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(({ attributes }) => attributes.state === "waiting"))
        ? LOOK_AGAIN_MS
        : false,
  });
  const changes = new Map(found.data?.pages.flatMap(({ data }) => data).map((change) => [change.id, change]));
  if (changes.size === 0) return null;
  return (
    <Section title={t("assistants.queued")} text={t("assistants.queuedText")}>
      <ul>
        {[...changes.values()].map((change) => (
          <Change key={change.id} change={change} />
        ))}
      </ul>
      {found.hasNextPage && (
        <Button look="quiet" size="compact" disabled={found.isFetchingNextPage} onClick={() => found.fetchNextPage()}>
          {t("showMore")}
        </Button>
      )}
    </Section>
  );
}

function Change({ change: { attributes } }: { change: QueuedChange }) {
  const { data: agents } = useQuery(agentsQuery);
  const { conversation_id, operation, agent_id, state, message, queued_at } = attributes;
  const agent = agents?.find(({ id }) => id === agent_id)?.attributes;
  return (
    <li className="border-line border-t py-2 first:border-t-0">
      <p className="flex flex-wrap items-center gap-x-2">
        <Link
          to="/inbox/$conversationId"
          params={{ conversationId: conversation_id }}
          search={{ view: "all" }}
          className="text-accent-text hover:underline pointer-coarse:py-3"
        >
          {t(`assistants.queued.${operation}`, { name: (agent && agentName(agent)) || "…" })}
        </Link>
        <Badge tone={TONES[state]}>{t(`assistants.queued.${state}`)}</Badge>
        <time dateTime={queued_at} className="numbers ms-auto text-meta text-subtle">
          {momentOf(queued_at)}
        </time>
      </p>
      {message && (
        <p dir="auto" className="aligned text-meta text-muted">
          {message}
        </p>
      )}
    </li>
  );
}
