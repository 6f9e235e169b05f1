import type { LiveConversation } from "@frontdesk/core/contract/live";
import { useNavigate } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, Check, SquareCheck } from "lucide-react";
import { useMemo } from "react";
import { resolve } from "../conversation/conversation-actions.ts";
import { type Command, useCommands } from "../shell/commands.ts";
import { t } from "../texts/texts.ts";
import { clearChosen } from "./chosen.ts";

/** What keys do in the list: go up and down, choose, resolve what is chosen. */
export function useListCommands({
  ids,
  activeId,
  chosen,
  onChoose,
}: {
  ids: readonly string[];
  activeId: string | undefined;
  chosen: readonly LiveConversation[];
  onChoose(id: string, range: boolean): void;
}): void {
  const navigate = useNavigate({ from: "/inbox" });
  const commands = useMemo((): Command[] => {
    const group = t("keys.list");
    const open = (id: string | undefined) =>
      id && navigate({ to: "/inbox/$conversationId", params: { conversationId: id }, search: true });
    const step = (by: number) => {
      const at = activeId ? ids.indexOf(activeId) : -1;
      open(ids[Math.min(ids.length - 1, Math.max(0, at < 0 ? 0 : at + by))]);
    };
    const next = { id: "next", label: t("keys.next"), group, icon: <ArrowDown size={14} />, run: () => step(1) };
    const previous = {
      id: "previous",
      label: t("keys.previous"),
      group,
      icon: <ArrowUp size={14} />,
      run: () => step(-1),
    };
    return [
      { ...next, keys: "J" },
      { ...previous, keys: "K" },
      ...(activeId
        ? [
            {
              id: "choose",
              label: t("keys.choose"),
              group,
              keys: "X",
              icon: <SquareCheck size={14} />,
              run: () => onChoose(activeId, false),
            },
          ]
        : []),
      ...(chosen.length > 0
        ? [
            {
              id: "resolve-chosen",
              label: t("bulk.resolve"),
              group,
              icon: <Check size={14} />,
              run() {
                void resolve(chosen);
                clearChosen();
              },
            },
            { id: "clear-chosen", label: t("bulk.clear"), group, keys: "Escape", run: clearChosen },
          ]
        : []),
    ];
  }, [ids, activeId, chosen, onChoose, navigate]);
  useCommands(commands);
}
