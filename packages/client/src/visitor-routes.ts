// Made from the contract by `npm run reference`; please do not edit it by hand.
export const visitorRoutes = {
  sendMessage: ["POST", "/messages"],
  introduce: ["POST", "/introduce"],
  openChat: ["GET", "/chat"],
  seeMessages: ["POST", "/seen"],
  askForPerson: ["POST", "/handoff"],
  confirmHelped: ["POST", "/helped"],
  rate: ["POST", "/rating"],
} as const;
