/** What keeps apps on the internet from an address, in the order in which it is looked for. */
export const appReachProblems = [
  "no-address",
  "only-ipv6",
  "private-address",
  "certificate",
  "no-answer",
  "redirect",
  "refused",
  "other-server",
  "no-challenge",
] as const;
export type AppReachProblem = (typeof appReachProblems)[number];
