import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, Outlet, useMatch, useRouter, useSearch } from "@tanstack/react-router";
import { Users } from "lucide-react";
import { useCallback, useMemo } from "react";
import { contactName } from "../inbox/contact-name.ts";
import { rest } from "../service/rest.ts";
import { ago, numberOf } from "../texts/dates.ts";
import { countryName } from "../texts/names.ts";
import { t } from "../texts/texts.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { FoundText, markedBy } from "../ui/marked-text.tsx";
import { MoreRows } from "../ui/more-rows.tsx";
import { Page } from "../ui/page.tsx";
import { problemText } from "../ui/problem-text.ts";
import { SearchField } from "../ui/search-field.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { VerifiedMark } from "./verified-mark.tsx";

const PAGE_SIZE = 50;

/** All contacts: those who have written, and those created over the API. */
export function ContactsPage() {
  const { q = "" } = useSearch({ from: "/signed-in/contacts" });
  const router = useRouter();
  const open = useMatch({ from: "/signed-in/contacts/$contactId", shouldThrow: false })?.params.contactId;
  const found = useInfiniteQuery({
    queryKey: ["contacts", q],
    queryFn: ({ pageParam, signal }) =>
      rest.listContacts({ query: { page: pageParam, limit: PAGE_SIZE, ...(q && { search: q }) }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ links, meta }) => (links.next ? meta.pagination.current_page + 1 : undefined),
    placeholderData: (before) => before,
  });
  // Called some time after the typing: keep a contact or page that was opened meanwhile.
  const search = useCallback(
    (text: string) => {
      if (!router.latestLocation.pathname.startsWith("/contacts")) return;
      void router.navigate({ to: ".", search: text ? { q: text } : {}, replace: true });
    },
    [router],
  );
  const more = useCallback(() => void found.fetchNextPage(), [found.fetchNextPage]);
  const contacts = found.data?.pages.flatMap(({ data }) => data) ?? [];
  const marked = useMemo(() => markedBy(q), [q]);
  const total = found.data?.pages[0]?.meta.pagination.total;
  return (
    <div className="flex h-full">
      <div className={cx("min-w-0 flex-1", open && "max-lg:hidden")}>
        <Page
          title={t("nav.contacts")}
          actions={
            <>
              {total !== undefined && <span className="numbers text-subtle max-md:hidden">{numberOf(total)}</span>}
              <SearchField label={t("contacts.search")} value={q} onChange={search} className="w-64 max-w-[50vw]" />
            </>
          }
        >
          {found.isPending && <SkeletonRows rows={10} height={56} />}
          {found.isError && (
            <EmptyState icon={Users} title={t("trouble.title")} text={problemText(found.error)}>
              <Button onClick={() => found.refetch()}>{t("tryAgain")}</Button>
            </EmptyState>
          )}
          {found.isSuccess && contacts.length === 0 && (
            <EmptyState
              icon={Users}
              title={q ? t("nothingFound") : t("contacts.none")}
              text={q ? t("contacts.noneFound") : t("contacts.noneText")}
            />
          )}
          {contacts.length > 0 && (
            <table className="w-full table-fixed border-collapse">
              <caption className="sr-only">{t("nav.contacts")}</caption>
              <thead className="sticky top-0 z-10 bg-surface text-start text-meta text-subtle">
                <tr className="h-9 border-line border-b [&_th]:px-4 [&_th]:text-start [&_th]:font-medium">
                  <th>{t("name")}</th>
                  <th className="max-md:hidden">{t("email")}</th>
                  <th className="w-36 max-lg:hidden">{t("place")}</th>
                  <th className="w-32">{t("contacts.lastActive")}</th>
                </tr>
              </thead>
              <tbody>
                {contacts.map(({ id, attributes }) => {
                  const name = contactName(attributes);
                  return (
                    <tr
                      key={id}
                      className={cx(
                        "relative h-12 border-line border-b [&_td]:px-4",
                        id === open ? "bg-active" : "hover:bg-hover",
                      )}
                    >
                      <td>
                        <span className="flex items-center gap-3">
                          <Avatar id={id} name={name} size="medium" online={attributes.online_status === "online"} />
                          <Link
                            to="/contacts/$contactId"
                            params={{ contactId: id }}
                            search={true}
                            dir="auto"
                            className="-outline-offset-2 min-w-0 truncate font-medium after:absolute after:inset-0"
                          >
                            <FoundText text={name} marked={marked} />
                          </Link>
                          {attributes.verified_id && <VerifiedMark />}
                          {attributes.blocked_at && <Badge tone="danger">{t("blocked")}</Badge>}
                        </span>
                      </td>
                      <td className="text-muted max-md:hidden">
                        <span className="flex items-center gap-1.5">
                          <span dir="auto" className="aligned truncate">
                            <FoundText text={attributes.email ?? ""} marked={marked} />
                          </span>
                          {attributes.email && attributes.email === attributes.verified_email && <VerifiedMark />}
                        </span>
                      </td>
                      <td className="truncate text-muted max-lg:hidden">
                        {attributes.country_emoji} {countryName(attributes)}
                      </td>
                      <td className="numbers truncate text-muted">
                        {attributes.last_active_at && ago(attributes.last_active_at)}
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          )}
          <MoreRows shown={found.hasNextPage} busy={found.isFetchingNextPage} onMore={more} />
        </Page>
      </div>
      <Outlet />
    </div>
  );
}
