import { useNavigate } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, SquareCheck } from "lucide-react";
import { useMemo } from "react";
import { type Command, useCommands } from "../shell/commands.ts";
import { t } from "../texts/texts.ts";

/** The keys of the list: move up and down, and select. Actions on the selection are in `bulk-bar.tsx`. */
export function useListCommands({
  ids,
  activeId,
  onChoose,
}: {
  ids: readonly string[];
  activeId: string | undefined;
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
    ];
  }, [ids, activeId, onChoose, navigate]);
  useCommands(commands);
}
