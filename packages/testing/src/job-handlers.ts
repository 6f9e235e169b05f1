import type { JobHandlers } from "@frontdesk/server/jobs/job";

const unexpected = async (): Promise<void> => {
  throw new Error("The test expected no job of this kind.");
};

/** Handlers of every kind, some of them given by the test. */
export const jobHandlers = (some: Partial<JobHandlers>): JobHandlers => ({
  "send-mail": unexpected,
  "send-replies-mail": unexpected,
  "change-conversation": unexpected,
  "hand-over-conversations": unexpected,
  "release-from-ai": unexpected,
  "summarise-handoff": unexpected,
  "embed-articles": unexpected,
  erase: unexpected,
  "apply-retention": unexpected,
  "try-channel-account": unexpected,
  "export-contact": unexpected,
  "mail-own-data-link": unexpected,
  "read-site": unexpected,
  "remove-site": unexpected,
  "import-mail": unexpected,
  "import-sent-mail": unexpected,
  ...some,
});
