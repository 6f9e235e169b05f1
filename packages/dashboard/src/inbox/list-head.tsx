import type { InboxQuery } from "@frontdesk/core/domain/inbox";
import { MailPlus, Menu as MenuIcon, Search } from "lucide-react";
import { Suspense } from "react";
import { openNav, openNewMail, openSearch } from "../shell/shell-state.ts";
import { t } from "../texts/texts.ts";
import { IconButton } from "../ui/button.tsx";
import { backgroundPart } from "../ui/lazy-part.ts";
import { useMaySendMail } from "./live-inbox.ts";
import { OrderMenu } from "./order-menu.tsx";
import { SavedViewMenu } from "./saved-view-menu.tsx";
import { useSavedView } from "./saved-views.ts";
import { viewName } from "./view-names.ts";

const Filters = backgroundPart(() => import("./filters.tsx"), "Filters");

/** The name of the view, its order, and its filters. */
export function ListHead({ query }: { query: InboxQuery }) {
  const saved = useSavedView(query);
  const maySendMail = useMaySendMail();
  return (
    <header className="flex h-13 shrink-0 items-center gap-1 border-line border-b ps-4 pe-2 max-md:ps-2">
      <IconButton label={t("nav.open")} onClick={openNav} className="md:hidden">
        <MenuIcon size={16} />
      </IconButton>
      <h1 className="min-w-0 flex-1 truncate font-semibold text-title">{saved?.name ?? viewName(query.view)}</h1>
      {saved && <SavedViewMenu key={saved.id} view={saved} />}
      <OrderMenu query={query} />
      <Suspense fallback={<span className="size-8" />}>
        <Filters query={query} />
      </Suspense>
      {maySendMail && (
        <IconButton label={t("mail.new")} onClick={openNewMail}>
          <MailPlus size={16} />
        </IconButton>
      )}
      <IconButton label={t("search.title")} keys="/" onClick={openSearch}>
        <Search size={16} />
      </IconButton>
    </header>
  );
}
