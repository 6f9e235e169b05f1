import { inboxViews } from "@frontdesk/core/domain/inbox";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bookmark, BookOpen, type LucideIcon, Rocket, Search, Settings, ShieldX, Users, X } from "lucide-react";
import type { ReactNode } from "react";
import { type InboxSearch, searchOf, searchOfView } from "../inbox/inbox-search.ts";
import { useAi, useCounts, useHasMailbox } from "../inbox/live-inbox.ts";
import { removeSavedView, useSavedViews } from "../inbox/saved-views.ts";
import { viewIcons, viewName } from "../inbox/view-names.ts";
import { useMay, useMe } from "../service/me.ts";
import { spamCountQuery } from "../spam/spam-queries.ts";
import { numberOf } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { cx } from "../ui/class-names.ts";
import { Keys } from "../ui/keys.tsx";
import { Logo } from "../ui/logo.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { showLayer } from "./shell-state.ts";

/** Where counts end: `COUNT_MAX`, `SPAM_COUNT_MAX` and `VIEW_COUNT_MAX` of the contract. */
const COUNTED_TO = 1_000;
const SAVED_COUNTED_TO = 100;
/** The most that a narrow navigation shows. */
const NARROW_MAX = 99;

/** The navigation at the start side. */
export function NavPane() {
  return (
    <div className="w-14 shrink-0 max-md:hidden lg:w-56">
      <Nav />
    </div>
  );
}

/** @param wide with labels, however narrow the window */
export function Nav({ wide = false, onGo }: { wide?: boolean; onGo?: () => void }) {
  const { team } = useMe();
  const counts = useCounts();
  const maySetUp = useMay("update-widget");
  // The first message is the last step of the start page. Later the command menu has it.
  const isNew = maySetUp && counts?.all.count === 0;
  const saved = useSavedViews();
  const hasMailbox = useHasMailbox();
  const isWithAiShown = useAi() !== null || (counts?.with_ai.count ?? 0) > 0;
  const words = wide ? "" : "max-lg:hidden";
  return (
    <nav aria-label={t("nav.title")} className="flex h-full flex-col gap-4 overflow-y-auto p-2">
      <div className={cx("flex h-9 items-center px-2", !wide && "max-lg:justify-center")}>
        <Logo bare />
        <span dir="auto" className={cx("ms-2 truncate font-semibold", words)}>
          {team.name}
        </span>
      </div>
      <button
        type="button"
        title={t("palette.title")}
        onClick={() => showLayer("palette")}
        className={cx(ROW, "border border-line bg-surface text-subtle", !wide && "max-lg:justify-center")}
      >
        <Search size={16} className="shrink-0" aria-hidden="true" />
        <span className={cx("min-w-0 flex-1 truncate text-start text-xs", !wide && "max-lg:sr-only")}>
          {t("nav.find")}
        </span>
        <span className={words}>
          <Keys keys="$mod+K" />
        </span>
      </button>
      <ul className="flex flex-col gap-px">
        {inboxViews.map((view) => {
          if (view === "with_ai" && !isWithAiShown) return null;
          const { count = 0, unread = 0 } = counts?.[view] ?? {};
          const asked = view === "mentions" ? unread : view === "resolved" || view === "all" ? 0 : count;
          return (
            <Row
              key={view}
              icon={viewIcons[view]}
              label={viewName(view)}
              search={searchOfView(view)}
              wide={wide}
              onGo={onGo}
            >
              {asked > 0 && (
                <Count count={asked} to={COUNTED_TO} hasUnread={unread > 0 && view !== "with_ai"} wide={wide} />
              )}
            </Row>
          );
        })}
        {hasMailbox && <Spam wide={wide} onGo={onGo} />}
      </ul>
      {saved && saved.length > 0 && (
        <section>
          <h2 className={cx("px-2 pb-1 font-medium text-label text-subtle", words)}>{t("nav.saved")}</h2>
          <ul className="flex flex-col gap-px">
            {saved.map(({ id, name, query, count }) => (
              <Row key={id} icon={Bookmark} label={name} search={searchOf(query)} wide={wide} onGo={onGo}>
                {count > 0 && (
                  <Count
                    count={count}
                    to={SAVED_COUNTED_TO}
                    wide={wide}
                    className="group-focus-within:hidden group-hover:hidden"
                  />
                )}
                <button
                  type="button"
                  aria-label={t("nav.removeView", { name })}
                  className={cx(
                    "relative z-10 hidden size-5 items-center justify-center rounded-tag text-subtle hover:bg-active group-focus-within:flex group-hover:flex",
                    !wide && "max-lg:hidden!",
                  )}
                  onClick={(event) => {
                    // Do not follow the link around it.
                    event.preventDefault();
                    void removeSavedView(id);
                  }}
                >
                  <X size={12} />
                </button>
              </Row>
            ))}
          </ul>
        </section>
      )}
      <ul className="flex flex-col gap-px border-line border-t pt-4">
        {isNew && <Page to="/start" icon={Rocket} label={t("nav.start")} wide={wide} onGo={onGo} />}
        <Page to="/contacts" icon={Users} label={t("nav.contacts")} wide={wide} onGo={onGo} />
        <Page to="/knowledge" icon={BookOpen} label={t("nav.knowledge")} wide={wide} onGo={onGo} />
        <Page to="/settings" icon={Settings} label={t("nav.settings")} wide={wide} onGo={onGo} />
      </ul>
      <div className="mt-auto">
        <AccountMenu wide={wide} />
      </div>
    </nav>
  );
}

/** Spam of a team that has a mailbox. */
function Spam({ wide, onGo }: { wide: boolean; onGo: (() => void) | undefined }) {
  const { data: count = 0 } = useQuery(spamCountQuery);
  return (
    <Page to="/spam" icon={ShieldX} label={t("nav.spam")} wide={wide} onGo={onGo}>
      {count > 0 && <Count count={count} to={COUNTED_TO} wide={wide} />}
    </Page>
  );
}

/** How many conversations a view has. Between narrow icons there is only room for two digits. */
function Count({
  count,
  to,
  hasUnread = false,
  wide,
  className,
}: {
  count: number;
  /** Where the counting ends. */
  to: number;
  hasUnread?: boolean;
  wide: boolean;
  className?: string;
}) {
  const text = count >= to ? `${numberOf(to)}+` : numberOf(count);
  return (
    <span
      className={cx(
        "numbers text-meta",
        className,
        hasUnread ? "font-semibold text-ink" : "text-subtle",
        !wide && "max-lg:absolute max-lg:end-0 max-lg:top-0 max-lg:rounded-full max-lg:bg-app max-lg:px-0.5",
        !wide && "max-lg:text-label max-lg:leading-3.5",
      )}
    >
      <span aria-hidden={hasUnread || undefined} className={cx(!wide && "max-lg:hidden")}>
        {text}
      </span>
      {!wide && (
        <span aria-hidden={hasUnread || undefined} className="lg:hidden">
          {count > NARROW_MAX ? `${numberOf(NARROW_MAX)}+` : text}
        </span>
      )}
      {/* In one piece: between two, screen readers pause. */}
      {hasUnread && <span className="sr-only">{`${text}, ${t("nav.withUnread")}`}</span>}
    </span>
  );
}

/** Every member explicitly: a link is the current one only when all of them match. */
const NARROWED_TO_NOTHING: { [Name in keyof Required<InboxSearch>]: undefined } = {
  view: undefined,
  widget: undefined,
  tag: undefined,
  agent: undefined,
  channel: undefined,
  account: undefined,
  from: undefined,
  to: undefined,
  unread: undefined,
  order: undefined,
};

const ROW = "relative flex h-8 w-full items-center gap-2 rounded-control px-2 pointer-coarse:h-11";
const LINK = cx(
  ROW,
  "text-muted hover:bg-hover hover:text-ink aria-[current=page]:bg-active aria-[current=page]:font-medium aria-[current=page]:text-ink",
);

function Row({
  icon: Icon,
  label,
  search,
  wide,
  onGo,
  children,
}: {
  icon: LucideIcon;
  label: string;
  search: InboxSearch;
  wide: boolean;
  onGo: (() => void) | undefined;
  children?: ReactNode;
}) {
  return (
    <li className="group">
      <Link
        to="/inbox"
        search={{ ...NARROWED_TO_NOTHING, ...search } as InboxSearch}
        {...(onGo && { onClick: onGo })}
        activeOptions={{ exact: false, includeSearch: true, explicitUndefined: true }}
        title={label}
        className={cx(LINK, !wide && "max-lg:justify-center")}
      >
        <Icon size={16} className="shrink-0" aria-hidden="true" />
        <span dir="auto" className={cx("aligned min-w-0 flex-1 truncate", !wide && "max-lg:sr-only")}>
          {label}
        </span>
        {children}
      </Link>
    </li>
  );
}

function Page({
  to,
  icon: Icon,
  label,
  wide,
  onGo,
  children,
}: {
  to: "/contacts" | "/knowledge" | "/settings" | "/spam" | "/start";
  icon: LucideIcon;
  label: string;
  wide: boolean;
  onGo: (() => void) | undefined;
  children?: ReactNode;
}) {
  return (
    <li>
      <Link
        to={to}
        title={label}
        {...(onGo && { onClick: onGo })}
        className={cx(LINK, !wide && "max-lg:justify-center")}
      >
        <Icon size={16} className="shrink-0" aria-hidden="true" />
        <span className={cx("min-w-0 flex-1 truncate", !wide && "max-lg:sr-only")}>{label}</span>
        {children}
      </Link>
    </li>
  );
}
