import { Outlet, useMatch, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { readLocal, writeLocal } from "../local-storage.ts";
import { t } from "../texts/texts.ts";
import { cx } from "../ui/class-names.ts";
import { PaneSeparator } from "../ui/panes.tsx";
import { queryOf } from "./inbox-search.ts";
import { ListPane } from "./list-pane.tsx";
import { theInbox } from "./live-inbox.ts";

const LIST_WIDTH = { min: 280, max: 420, usual: 320 };

/** The list, with the open conversation beside it. On a phone one covers the other. */
export function InboxPage() {
  const query = queryOf(useSearch({ from: "/signed-in/inbox" }));
  const open = useMatch({ from: "/signed-in/inbox/$conversationId", shouldThrow: false })?.params.conversationId;
  const [width, setWidth] = useState(readLocal<number>("list-width") ?? LIST_WIDTH.usual);
  // A channel that was connected or paused meanwhile, maybe on another page, is no event.
  useEffect(() => {
    if (theInbox().getState().people) void theInbox().refreshPeople();
  }, []);
  return (
    <div className="flex h-full min-w-0 bg-surface">
      <div
        className={cx("flex min-h-0 w-full shrink-0 flex-col md:w-(--list-width)", open && "max-md:hidden")}
        style={{ "--list-width": `${width}px` } as React.CSSProperties}
      >
        <ListPane query={query} activeId={open} />
      </div>
      <PaneSeparator
        label={t("listWidth")}
        of="before"
        width={width}
        min={LIST_WIDTH.min}
        max={LIST_WIDTH.max}
        onChange={(next) => {
          setWidth(next);
          writeLocal("list-width", next);
        }}
        className="max-md:hidden"
      />
      <div className={cx("min-h-0 min-w-0 flex-1", !open && "max-md:hidden")}>
        <Outlet />
      </div>
    </div>
  );
}
