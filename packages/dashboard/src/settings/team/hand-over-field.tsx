import { canAct } from "@frontdesk/core/domain/agent";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { agentsQuery } from "../../service/agents.ts";
import { askSession } from "../../service/ask-session.ts";
import { t } from "../../texts/texts.ts";
import { Field, Select } from "../../ui/field.tsx";
import { problemText } from "../../ui/problem-text.ts";

export interface HandOver {
  /** The new agent's id; null for no one. */
  to: string | null;
  choose(id: string): void;
  open: number;
  /** Whether it is known how many open conversations there are. */
  isKnown: boolean;
  problem: string | undefined;
}

/** Who gets the open conversations of an agent who leaves. */
export function useHandOver(agentId: string): HandOver {
  const { data, error } = useQuery({
    queryKey: ["open-conversations", agentId],
    queryFn: () => askSession("countOpenConversations", { params: { id: agentId } }),
    // Conversations come and go while the page is shown.
    staleTime: 0,
    gcTime: 0,
  });
  const [to, setTo] = useState("");
  return {
    to: to || null,
    choose: setTo,
    open: data?.count ?? 0,
    isKnown: data !== undefined,
    problem: error ? problemText(error) : undefined,
  };
}

/** Nothing without open conversations. */
export function HandOverField({
  agentId,
  handOver: { to, choose, open },
  problem,
}: {
  agentId: string;
  handOver: HandOver;
  problem: string | undefined;
}) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const teammates = agents.filter((one) => one.id !== agentId && canAct({ status: one.attributes.status ?? "" }));
  if (open === 0) return null;
  return (
    <Field label={t("team.handOver", { count: open })} problem={problem}>
      <Select value={to ?? ""} onChange={({ target }) => choose(target.value)}>
        <option value="">{t("team.handOverNobody")}</option>
        {teammates.map(({ id, attributes }) => (
          <option key={id} value={id}>
            {attributes.name ?? attributes.email}
          </option>
        ))}
      </Select>
    </Field>
  );
}
