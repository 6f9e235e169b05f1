import { useNavigate } from "@tanstack/react-router";
import { Keyboard, LogOut, Monitor, Moon, Sun, UserRound } from "lucide-react";
import { useState } from "react";
import { theInbox, useInboxState } from "../inbox/live-inbox.ts";
import { askSession } from "../service/ask-session.ts";
import { meQuery, useMe } from "../service/me.ts";
import { queries } from "../service/queries.ts";
import { t } from "../texts/texts.ts";
import { currentTheme, setTheme, type Theme } from "../theme.ts";
import { Avatar } from "../ui/avatar.tsx";
import { cx } from "../ui/class-names.ts";
import { Menu, MenuChoice, MenuItem, MenuSeparator, MenuTitle } from "../ui/menu.tsx";
import { problemText } from "../ui/problem-text.ts";
import { showProblem } from "../ui/toast.ts";
import { mayLoseUnsaved } from "../ui/unsaved-guards.ts";
import { showLayer } from "./shell-state.ts";

/** The signed-in agent's menu: availability, theme, sign out. */
export function AccountMenu({ wide }: { wide: boolean }) {
  const { agent } = useMe();
  const navigate = useNavigate();
  const [theme, show] = useState<Theme>(currentTheme());
  // Also after idle time, or outside of the hours.
  const isAway = useInboxState(({ me, presence }) => presence.agents.get(me) === "away");
  const isHere = agent.availability === "auto" && !isAway;
  const name = agent.name ?? agent.email;

  const setAvailability = async (availability: "auto" | "away") => {
    try {
      queries.setQueryData(meQuery.queryKey, await askSession("updateMe", { body: { availability } }));
    } catch (error) {
      showProblem(problemText(error));
    }
  };
  const signOut = async () => {
    if (!(await mayLoseUnsaved())) return;
    try {
      await theInbox().signOut(() => askSession("signOut"));
    } catch (error) {
      // A failed sign-out must not look like one that worked.
      showProblem(problemText(error));
      return;
    }
    queries.clear();
    await navigate({ to: "/sign-in", replace: true });
  };
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <button
          type="button"
          title={t("own.menu", { name })}
          className={cx(
            "flex h-11 w-full items-center gap-2 rounded-control px-1.5 text-start hover:bg-hover data-popup-open:bg-active",
            !wide && "max-lg:justify-center",
          )}
        >
          <Avatar id={agent.id} name={name} photo={agent.profile_photo_url} online={isHere} />
          <span className={cx("min-w-0 flex-1", !wide && "max-lg:sr-only")}>
            <span dir="auto" className="aligned block truncate font-medium">
              {name}
            </span>
            <span className="block text-label text-subtle">{isHere ? t("own.here") : t("own.away")}</span>
          </span>
        </button>
      }
    >
      <MenuTitle>{t("own.availability")}</MenuTitle>
      <MenuChoice
        value={agent.availability}
        choices={[
          { value: "auto", label: t("own.here") },
          { value: "away", label: t("own.away") },
        ]}
        onChange={setAvailability}
      />
      <MenuSeparator />
      <MenuTitle>{t("theme")}</MenuTitle>
      <MenuChoice
        value={theme}
        choices={[
          { value: "system", label: t("theme.system"), icon: <Monitor size={14} /> },
          { value: "light", label: t("theme.light"), icon: <Sun size={14} /> },
          { value: "dark", label: t("theme.dark"), icon: <Moon size={14} /> },
        ]}
        onChange={(next) => {
          show(next);
          setTheme(next);
        }}
      />
      <MenuSeparator />
      <MenuItem
        icon={<UserRound size={14} />}
        onSelect={() => navigate({ to: "/settings/$part", params: { part: "profile" } })}
      >
        {t("own.profile")}
      </MenuItem>
      <MenuItem icon={<Keyboard size={14} />} keys="?" onSelect={() => showLayer("keys")}>
        {t("keys.title")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<LogOut size={14} />} onSelect={signOut}>
        {t("own.signOut")}
      </MenuItem>
    </Menu>
  );
}
