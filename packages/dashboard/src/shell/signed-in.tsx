import { CatchBoundary, Outlet, useNavigate } from "@tanstack/react-router";
import { Suspense, useCallback, useEffect, useRef } from "react";
import { closeInbox, inboxOf, useConnection, useIsOver } from "../inbox/live-inbox.ts";
import { useErased } from "../privacy/use-erased.ts";
import { askSession } from "../service/ask-session.ts";
import { useMe } from "../service/me.ts";
import { isPasskeyOfferDue } from "../service/passkey-offer.ts";
import { usePreferences, usePreferencesOfOtherTabs } from "../service/preferences.ts";
import { queries } from "../service/queries.ts";
import { ROOT_PATH, whenSignedOut } from "../service/send.ts";
import { reloadPage } from "../service/service-answers.ts";
import { endAsking } from "../service/verify-again.ts";
import { t } from "../texts/texts.ts";
import { backgroundPart, lazyPart } from "../ui/lazy-part.ts";
import { showNews } from "../ui/toast.ts";
import { ToastPlace } from "../ui/toast-place.tsx";
import { whenIdle } from "../ui/when-idle.ts";
import { useAppCommands } from "./app-commands.tsx";
import { useCommandKeys } from "./commands.ts";
import { NavPane } from "./nav.tsx";
import { useNotifications } from "./notifications.ts";
import { OfflineBanner } from "./offline-banner.tsx";
import { showLayer, useLayer } from "./shell-state.ts";
import { useTitleBadge } from "./title-badge.ts";

const BASE = `${ROOT_PATH}/app`;
const AwayStatus = backgroundPart(() => import("./away-status.ts"), "AwayStatus");
const PasskeyOffer = backgroundPart(() => import("../sign-in/passkey-offer.tsx"), "PasskeyOffer");
/** The layers over the page. */
const Layers = lazyPart(() => import("./layers.tsx"), "Layers");

/** The frame around every screen of a signed-in agent. */
export function SignedIn() {
  const inbox = inboxOf(useMe().agent.id);
  useEffect(() => {
    inbox.open();
    return closeInbox;
  }, [inbox]);
  return <Frame />;
}

function Frame() {
  const navigate = useNavigate();
  const layer = useLayer();
  const connection = useConnection();
  const isOver = useIsOver();
  const isLeaving = useRef(false);
  const leave = useCallback(
    (reason?: string) => {
      // Several requests may be refused at once: only the first redirects to the sign-in page.
      if (isLeaving.current || location.pathname === `${BASE}/sign-in`) return;
      isLeaving.current = true;
      queries.clear();
      // The page to return to after signing in.
      const next = `${location.pathname}${location.search}`.slice(BASE.length);
      const search = {
        ...(next.startsWith("/") && { next }),
        ...(reason === "account-deactivated" && { ended: "deactivated" as const }),
      };
      void navigate({ to: "/sign-in", search, replace: true, ignoreBlocker: true });
    },
    [navigate],
  );
  useEffect(() => whenSignedOut(leave), [leave]);
  useEffect(() => {
    // The stream ends without a reason, which a request is answered with.
    if (isOver)
      void askSession("getMe").then(
        () => leave(),
        () => leave(),
      );
  }, [isOver, leave]);
  // Preloaded for its first use.
  useEffect(() => void whenIdle().then(Layers.preload), []);
  return (
    <div className="flex h-full flex-col">
      <a
        href="#main"
        className="fixed start-2 top-2 z-50 -translate-y-20 rounded-control bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        {t("skipToMain")}
      </a>
      <OfflineBanner connection={connection} />
      {isPasskeyOfferDue() && (
        <Suspense>
          <PasskeyOffer />
        </Suspense>
      )}
      <div className="flex min-h-0 flex-1">
        <NavPane />
        <div className="flex min-w-0 flex-1 flex-col border-line border-s bg-surface max-md:border-s-0">
          <main id="main" className="min-h-0 flex-1">
            <Outlet />
          </main>
          <ToastPlace of="page" />
        </div>
      </div>
      <BackgroundHooks />
      <Suspense>
        <AwayStatus />
      </Suspense>
      {layer && (
        <CatchBoundary getResetKey={() => layer} errorComponent={NoLayer} onCatch={closeMissing}>
          <Suspense>
            <Layers layer={layer} onClose={() => showLayer(undefined)} />
          </Suspense>
        </CatchBoundary>
      )}
    </div>
  );
}

const NoLayer = () => null;

/** The page below a layer that could not be loaded or rendered stays. */
function closeMissing(): void {
  endAsking(false);
  showNews(t("trouble.title"), { label: t("tryAgain"), run: () => void reloadPage() });
}

/** Hooks without output. A separate component: commands change with every screen, and the frame must not render again. */
function BackgroundHooks() {
  const { shortcuts = true } = usePreferences();
  useAppCommands();
  useCommandKeys(shortcuts);
  useTitleBadge();
  usePreferencesOfOtherTabs();
  useNotifications();
  useErased();
  return null;
}
