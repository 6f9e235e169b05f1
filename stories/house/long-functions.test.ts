/**
 * STYLE.md: a function over 120 lines is a state machine that has not been drawn yet, and a file over 450 is several. The
 * remaining ones are listed here with a reason; one that was split leaves the list, and no new one joins it.
 */
import { expect, test } from "vitest";
import { longFiles, longFunctions } from "../../scripts/long-functions.ts";

const ONE_STORY = "one story, from its beginning to its end";
const ONE_SCREEN = "the markup of one screen";
const DRAWN = "one state machine with its states drawn above it";
const ONE_LIST = "one list, without branches";

const LONG_FUNCTIONS: Record<string, string> = {
  "packages/client/src/held-replies.ts openHeldReplies": DRAWN,
  "packages/client/src/live-stream.ts openLiveStream": DRAWN,
  "packages/client/src/local-drafts.ts openLocalDrafts": DRAWN,
  "packages/client/src/outbox.ts openOutbox": DRAWN,
  "packages/client/src/shared-stream.ts openSharedStream": DRAWN,
  "packages/client/src/shift-for-tests.ts workShift": "each kind of step of a random shift",
  "packages/client/src/visit-for-tests.ts visit": "each kind of step of a random visit",
  "packages/dashboard/src/conversation/composer.tsx Composer": ONE_SCREEN,
  "packages/dashboard/src/conversation/conversation-composer.tsx ConversationComposer": ONE_SCREEN,
  "packages/dashboard/src/conversation/conversation-screen.tsx ConversationScreen": ONE_SCREEN,
  "packages/dashboard/src/conversation/details-pane.tsx DetailsPane": ONE_SCREEN,
  "packages/dashboard/src/conversation/lightbox.tsx Lightbox": ONE_SCREEN,
  "packages/server/src/ai/turn/turn-worker.ts createTurnWorker": DRAWN,
  "packages/server/src/app.ts createApp": "where all parts are put together",
  "packages/server/src/email/imap/imap-reader.ts createImapReader": DRAWN,
  "packages/server/src/email/imap/imap-session.ts startImapSession": DRAWN,
  "packages/server/src/http/session/inbox-routes.ts inboxRoutes": ONE_LIST,
  'packages/server/src/storage/migrate.test.ts "conversations of before have one episode, of their present or last open stretch, with what is known of it"':
    "rows of before, as data",
  "packages/server/src/live/presence.ts createPresence": "what a process knows of who is here, shared by its parts",
  "packages/server/src/storage/migrations/0001-foundation.ts tables": ONE_LIST,
  "packages/server/test/attack/chat-while-cut.ts chatWhileCut": ONE_STORY,
  "packages/server/test/attack/flooder.ts flood": "each way in which a stranger floods",
  "packages/server/test/attack/kill-while-writing.ts openLane": "each kind of write of one lane",
  "packages/testing/src/list-promises.ts specifyList": "the promises of every list, as tests",
  "packages/testing/src/scripted-imap.ts startScriptedImap": "one server, with what all its connections share",
  "packages/widget/src/loader.ts start": "the loader is one function: each further one costs bytes on every page",
  'stories/dashboard-assistants.test.ts "an assistant is connected, seen at work, given less, paused, given another token, and revoked"':
    ONE_STORY,
  'stories/dashboard-by-keys.test.ts "an agent works by the keyboard alone"': ONE_STORY,
  'stories/dashboard-developer-tools.test.ts "a webhook, from its first event to its removal"': ONE_STORY,
  'stories/support-shift.test.ts "an assistant reads, looks up, replies, notes, tags, assigns, hands over and resolves twelve at once (%s)"':
    ONE_STORY,
};

const LONG_FILES: Record<string, string> = {
  "packages/core/src/contract/inbox.ts": "the contract of the inbox: schemas alone",
  "packages/core/src/contract/openapi.ts": "one document, a function a part",
  "packages/core/src/contract/resources.ts": "the resources of the interface: schemas alone",
  "packages/core/src/contract/session.ts": "the contract of the dashboard: schemas alone",
  "packages/core/src/domain/policy.ts": "who may do what, as one table",
  "packages/server/src/app.ts": "where all parts are put together",
  "packages/server/src/limits/stranger-bounds.ts": "every bound for strangers, as data",
  "packages/server/src/cli/run-command.test.ts": "every command of one installation, from its first day on",
  "packages/server/src/demo/conversations/en.ts": "texts",
  "packages/server/src/storage/columns.ts": "every column, as data",
  "packages/server/src/storage/tables.ts": "every column, as a type",
  "packages/client/src/agent-inbox.test.ts": "every promise of an agent's inbox, over one service",
  "packages/server/src/http/session/inbox-routes.test.ts": "a test a route",
  "packages/server/src/http/visitor/verified-visitors.test.ts": "one promise in all its cases",
  "packages/server/src/jobs/job-runner.test.ts": "every promise of stored jobs",
  "packages/server/src/outbox/claim-items.test.ts": "every promise of a claim",
  "packages/server/src/outbox/crash-and-stop.test.ts": "each way in which a process ends",
  "packages/server/src/outbox/receivers.test.ts": "every promise of the outbox, over every kind of receiver",
  "packages/server/src/storage/migrate.test.ts": "what each migration does with data of before",
};

test("no function over 120 lines joins those that are named here, and what was taken apart leaves them", () => {
  expect(
    longFunctions()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(LONG_FUNCTIONS).sort());
});

test("no file over 450 lines joins those that are named here, and what was taken apart leaves them", () => {
  expect(
    longFiles()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(LONG_FILES).sort());
});
