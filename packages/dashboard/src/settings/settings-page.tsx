import { Link, Outlet, useParams } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useMe } from "../service/me.ts";
import { t } from "../texts/texts.ts";
import { Page } from "../ui/page.tsx";
import { settingsParts } from "./parts.ts";

/** The settings, with their parts at the side, on a phone above. */
export function SettingsPage() {
  const { may } = useMe();
  const parts = settingsParts.filter(({ needs }) => !needs || may.includes(needs));
  const nav = useRef<HTMLElement>(null);
  const { part: open } = useParams({ strict: false });
  useEffect(() => {
    // On a phone the row of parts is wider than the screen and scrolls.
    if (open) nav.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [open]);
  const groups = [...new Set(parts.map(({ group }) => group))];
  return (
    <Page title={t("nav.settings")}>
      <div className="flex min-h-full max-md:flex-col">
        <nav
          ref={nav}
          aria-label={t("nav.settings")}
          className="relative flex shrink-0 gap-4 border-line p-2 max-md:overflow-x-auto max-md:border-b md:w-56 md:flex-col md:border-e md:p-3"
        >
          {/* Sticky beside a long part. */}
          <div className="contents md:sticky md:top-3 md:flex md:flex-col md:gap-4">
            {groups.map((group) => (
              <section key={group} className="max-md:flex">
                <h2 className="px-2 pb-1 font-medium text-label text-subtle max-md:sr-only">{group}</h2>
                <ul className="flex gap-px md:flex-col">
                  {parts
                    .filter((part) => part.group === group)
                    .map(({ name, label, icon: Icon }) => (
                      <li key={name}>
                        <Link
                          to="/settings/$part"
                          params={{ part: name }}
                          className="flex h-8 items-center gap-2 whitespace-nowrap rounded-control px-2 text-muted hover:bg-hover aria-[current=page]:bg-active aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:h-11"
                        >
                          <Icon size={16} className="shrink-0" aria-hidden="true" />
                          {label}
                        </Link>
                      </li>
                    ))}
                </ul>
              </section>
            ))}
          </div>
        </nav>
        <div className="min-w-0 flex-1 p-4 md:p-8">
          <div className="mx-auto max-w-4xl">
            <Outlet />
          </div>
        </div>
      </div>
    </Page>
  );
}
