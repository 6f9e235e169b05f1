import { inboxViews } from "@frontdesk/core/domain/inbox";
import { useNavigate } from "@tanstack/react-router";
import {
  BookOpen,
  Inbox,
  Keyboard,
  MailPlus,
  Moon,
  Rocket,
  Rows3,
  Search,
  Settings,
  ShieldX,
  Sun,
  SunMoon,
  Undo2,
  Users,
} from "lucide-react";
import { useMemo } from "react";
import { setDensity, useDensity } from "../inbox/density.ts";
import { searchOfView } from "../inbox/inbox-search.ts";
import { useHasMailbox, useMaySendMail } from "../inbox/live-inbox.ts";
import { viewIcons, viewName } from "../inbox/view-names.ts";
import { useMay } from "../service/me.ts";
import { t } from "../texts/texts.ts";
import { setTheme } from "../theme.ts";
import { undoLast } from "../ui/toast.ts";
import { type Command, useCommands } from "./commands.ts";
import { openNewMail, showLayer } from "./shell-state.ts";

/** The commands that are available everywhere. */
export function useAppCommands(): void {
  const navigate = useNavigate();
  const density = useDensity();
  const maySetUp = useMay("update-widget");
  const maySendMail = useMaySendMail();
  const hasMailbox = useHasMailbox();
  const commands = useMemo((): Command[] => {
    const size = 14;
    const go = t("keys.go");
    const app = t("keys.app");
    return [
      { id: "palette", label: t("palette.title"), group: app, keys: "$mod+K", run: () => showLayer("palette") },
      {
        id: "search",
        label: t("search.title"),
        group: app,
        keys: "/",
        icon: <Search size={size} />,
        run: () => showLayer("search"),
      },
      {
        id: "keys",
        label: t("keys.title"),
        group: app,
        keys: "?",
        icon: <Keyboard size={size} />,
        run: () => showLayer("keys"),
      },
      ...(maySendMail
        ? [{ id: "new-mail", label: t("mail.new"), group: app, icon: <MailPlus size={size} />, run: openNewMail }]
        : []),
      { id: "undo", label: t("undo"), group: app, keys: "$mod+Z", icon: <Undo2 size={size} />, run: undoLast },
      {
        id: "go-inbox",
        label: t("nav.inbox"),
        group: go,
        keys: "G I",
        icon: <Inbox size={size} />,
        run: () => navigate({ to: "/inbox" }),
      },
      ...(hasMailbox
        ? [
            {
              id: "go-spam",
              label: t("nav.spam"),
              group: go,
              icon: <ShieldX size={size} />,
              run: () => navigate({ to: "/spam" }),
            },
          ]
        : []),
      {
        id: "go-contacts",
        label: t("nav.contacts"),
        group: go,
        keys: "G C",
        icon: <Users size={size} />,
        run: () => navigate({ to: "/contacts" }),
      },
      {
        id: "go-knowledge",
        label: t("nav.knowledge"),
        group: go,
        keys: "G K",
        icon: <BookOpen size={size} />,
        run: () => navigate({ to: "/knowledge" }),
      },
      {
        id: "go-settings",
        label: t("nav.settings"),
        group: go,
        keys: "G S",
        icon: <Settings size={size} />,
        run: () => navigate({ to: "/settings" }),
      },
      ...(maySetUp
        ? [
            {
              id: "go-start",
              label: t("nav.start"),
              group: go,
              icon: <Rocket size={size} />,
              run: () => navigate({ to: "/start" }),
            },
          ]
        : []),
      ...inboxViews.map((view): Command => {
        const Icon = viewIcons[view];
        return {
          id: `go-${view}`,
          label: t("keys.goView", { name: viewName(view) }),
          group: go,
          icon: <Icon size={size} />,
          run: () => navigate({ to: "/inbox", search: searchOfView(view) }),
        };
      }),
      {
        id: "density",
        label: t("density.toggle"),
        group: app,
        icon: <Rows3 size={size} />,
        run: () => setDensity(density === "compact" ? "comfortable" : "compact"),
      },
      { id: "light", label: t("theme.toLight"), group: app, icon: <Sun size={size} />, run: () => setTheme("light") },
      { id: "dark", label: t("theme.toDark"), group: app, icon: <Moon size={size} />, run: () => setTheme("dark") },
      {
        id: "system",
        label: t("theme.toSystem"),
        group: app,
        icon: <SunMoon size={size} />,
        run: () => setTheme("system"),
      },
    ];
  }, [navigate, density, maySetUp, maySendMail, hasMailbox]);
  useCommands(commands);
}
