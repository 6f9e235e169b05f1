/** The routes of the dashboard. Every screen but the inbox is loaded when it is opened. */
import { createRootRoute, createRoute, createRouter, Outlet, redirect } from "@tanstack/react-router";
import { InboxPage } from "./inbox/inbox-page.tsx";
import { inboxSearch } from "./inbox/inbox-search.ts";
import { NoneOpen } from "./inbox/none-open.tsx";
import { askInbox } from "./service/ask-inbox.ts";
import { meQuery } from "./service/me.ts";
import { queries } from "./service/queries.ts";
import { ROOT_PATH } from "./service/send.ts";
import { ServiceError } from "./service/service-error.ts";
import { settingsSearch } from "./settings/settings-search.ts";
import { ErrorScreen } from "./shell/error-screen.tsx";
import { SignedIn } from "./shell/signed-in.tsx";
import { lazyScreen } from "./ui/lazy-part.ts";

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: lazyScreen(() => import("./shell/not-found-page.tsx"), "NotFoundPage"),
});

/** Where to go on to: only a path of the dashboard, never another site's address. */
const nextOf = (next: unknown): { next?: string } =>
  typeof next === "string" && /^\/(?![/\\])/.test(next) ? { next } : {};

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: ({ next, ended }: Record<string, unknown>): { next?: string; ended?: "deactivated" } => ({
    ...nextOf(next),
    ...(ended === "deactivated" && { ended }),
  }),
  component: lazyScreen(() => import("./sign-in/sign-in-page.tsx"), "SignInPage"),
});
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: "/forgot-password",
  component: lazyScreen(() => import("./sign-in/forgot-password-page.tsx"), "ForgotPasswordPage"),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: "/reset-password",
  component: lazyScreen(() => import("./sign-in/reset-password-page.tsx"), "ResetPasswordPage"),
});
const join = createRoute({
  getParentRoute: () => root,
  path: "/join/$token",
  component: lazyScreen(() => import("./sign-in/join-page.tsx"), "JoinPage"),
});

/** Where providers of single sign-on send browsers back to. */
const ssoEnd = createRoute({
  getParentRoute: () => root,
  path: "/sso/$provider",
  component: lazyScreen(() => import("./sign-in/sso-end-page.tsx"), "SsoEndPage", "sso"),
});
const ssoTest = createRoute({
  getParentRoute: () => root,
  path: "/sso/$provider/test",
  component: lazyScreen(() => import("./sign-in/sso-start-page.tsx"), "SsoTestPage", "sso"),
});
const ssoProof = createRoute({
  getParentRoute: () => root,
  path: "/sso-proof",
  component: lazyScreen(() => import("./sign-in/sso-start-page.tsx"), "SsoProofPage", "sso"),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: "/setup",
  component: lazyScreen(() => import("./setup/setup-page.tsx"), "SetupPage"),
});

/** For sessions that reach nothing else until a second factor is added. */
const enrol = createRoute({
  getParentRoute: () => root,
  path: "/enrol",
  validateSearch: ({ next }: Record<string, unknown>) => nextOf(next),
  async beforeLoad({ search: { next } }) {
    const { must_enrol } = await queries.fetchQuery(meQuery);
    if (!must_enrol) throw redirect({ to: "/", ...(next !== undefined && { href: next }), replace: true });
  },
  component: lazyScreen(() => import("./sign-in/enrol-page.tsx"), "EnrolPage"),
});

/**
 * Agents who are not signed in sign in first, and some have to add a second factor before all else. Both are sent back to where they
 * were.
 */
async function needsAgent({ location }: { location: { href: string } }): Promise<void> {
  const next = location.href === "/" ? {} : { next: location.href };
  try {
    const { must_enrol } = await queries.ensureQueryData(meQuery);
    if (must_enrol) throw redirect({ to: "/enrol", search: next, replace: true });
  } catch (error) {
    if (!(error instanceof ServiceError && error.status === 401)) throw error;
    const ended = error.body.reason === "account-deactivated" ? { ended: "deactivated" as const } : {};
    throw redirect({ to: "/sign-in", search: { ...next, ...ended }, replace: true });
  }
}

/** The consent page of apps: outside of the other screens, and nothing that keys could open. */
const connect = createRoute({
  getParentRoute: () => root,
  path: "/connect",
  validateSearch: ({ request, problem }: Record<string, unknown>): { request?: string; problem?: string } => ({
    ...(typeof request === "string" && { request }),
    ...(typeof problem === "string" && { problem }),
  }),
  // What cannot be answered is said to anyone.
  beforeLoad: ({ location, search }) => (search.request === undefined ? undefined : needsAgent({ location })),
  component: lazyScreen(() => import("./connect/connect-page.tsx"), "ConnectPage", "assistants"),
});

/** For signed-in agents; others sign in first and are sent back here. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: needsAgent,
  component: SignedIn,
});

/** Without any conversation, the first step is to install the widget. */
const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  async beforeLoad() {
    const { may } = await queries.ensureQueryData(meQuery);
    const { views } = await askInbox("getCounts");
    const isNew = views.all?.count === 0 && may.includes("update-widget");
    throw redirect({ to: isNew ? "/start" : "/inbox", replace: true });
  },
});
const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: "/inbox",
  validateSearch: inboxSearch,
  component: InboxPage,
});
const noConversation = createRoute({ getParentRoute: () => inbox, path: "/", component: NoneOpen });
const conversation = createRoute({
  getParentRoute: () => inbox,
  path: "/$conversationId",
  component: lazyScreen(() => import("./conversation/conversation-page.tsx"), "ConversationPage"),
});
const contacts = createRoute({
  getParentRoute: () => signedIn,
  path: "/contacts",
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } => (typeof q === "string" && q ? { q } : {}),
  component: lazyScreen(() => import("./contacts/contacts-page.tsx"), "ContactsPage"),
});
const contact = createRoute({
  getParentRoute: () => contacts,
  path: "/$contactId",
  component: lazyScreen(() => import("./contacts/contact-page.tsx"), "ContactPage", "erasing"),
});
const knowledge = createRoute({
  getParentRoute: () => signedIn,
  path: "/knowledge",
  component: lazyScreen(() => import("./knowledge/knowledge-page.tsx"), "KnowledgePage", "sources"),
});
const article = createRoute({
  getParentRoute: () => knowledge,
  path: "/$articleId",
  component: lazyScreen(() => import("./knowledge/article-page.tsx"), "ArticlePage"),
});
const spam = createRoute({
  getParentRoute: () => signedIn,
  path: "/spam",
  component: lazyScreen(() => import("./spam/spam-page.tsx"), "SpamPage", "mail", "spam"),
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings",
  component: lazyScreen(() => import("./settings/settings-page.tsx"), "SettingsPage"),
});
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/settings/$part", params: { part: "profile" }, replace: true });
  },
});
const settingsPart = createRoute({
  getParentRoute: () => settings,
  path: "/$part",
  component: lazyScreen(() => import("./settings/settings-part.tsx"), "SettingsPart"),
});
/** One item of a settings part, with its own URL. */
const settingsItem = createRoute({
  getParentRoute: () => settings,
  path: "/$part/$item",
  validateSearch: settingsSearch,
  component: lazyScreen(() => import("./settings/settings-part.tsx"), "SettingsPart"),
});
const start = createRoute({
  getParentRoute: () => signedIn,
  path: "/start",
  async beforeLoad() {
    const { may } = await queries.ensureQueryData(meQuery);
    if (!may.includes("update-widget")) throw redirect({ to: "/inbox", replace: true });
  },
  component: lazyScreen(() => import("./settings/start-page.tsx"), "StartPage"),
});

const tree = root.addChildren([
  signIn,
  forgotPassword,
  resetPassword,
  join,
  ssoEnd,
  ssoTest,
  ssoProof,
  setup,
  enrol,
  connect,
  signedIn.addChildren([
    home,
    inbox.addChildren([noConversation, conversation]),
    spam,
    contacts.addChildren([contact]),
    knowledge.addChildren([article]),
    settings.addChildren([settingsHome, settingsPart, settingsItem]),
    start,
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  basepath: `${ROOT_PATH}/app`,
  // URLs such as `/inbox?view=mine` should be readable; only values that are not strings are written as JSON.
  defaultPreload: "intent",
  scrollRestoration: false,
  // At the screen that failed: the frame around it stays.
  defaultErrorComponent: ErrorScreen,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
