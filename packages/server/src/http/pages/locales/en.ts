/** Every text of the server's own pages, in English. Another language is another object of the type `PageTexts`. */
export const en = {
  lang: "en",
  form: {
    summary: "Please look at this again:",
    missing: "Please fill this in.",
    errorTitle: (title: string) => `Error: ${title}`,
    passwordHint: (min: number) => `At least ${min} characters. A few words that only you know are a good choice.`,
  },
  setup: {
    title: "Set up Frontdesk",
    intro: "Create your team and its first account. You can add more people later.",
    teamName: "Team name",
    teamNameHint: "Your visitors may see it.",
    ownerName: "Your name",
    email: "Your e-mail",
    password: "Password",
    widgetName: "Name of the first widget",
    widgetNameHint: "A widget is the place visitors write from, such as your website.",
    widgetNameDefault: "Website",
    submit: "Create the team",
  },
  setupDone: {
    title: "Your team is ready",
    open: "Open your inbox",
    intro: "Please copy the API key now. It is shown only this once.",
    apiKey: "API key",
    widgetId: "Widget id",
    teamId: "Team id",
    demo: "See your widget on a demo page, with the line to put on your own pages",
    tryTitle: "Send a first message",
    tryIntro: "Paste this into a terminal. It writes to your team as a visitor would:",
    firstMessage: "Hello from my first visitor!",
  },
  setupRefused: {
    title: "This address does not work",
    text: "A set-up address works once, and only the latest one. To get a new one, restart Frontdesk: it is printed when the program starts.",
  },
  setupClosed: {
    title: "Set-up is done",
    text: "This Frontdesk already has a team, so its set-up page is closed. To join the team, ask its owner for an invitation.",
  },
  join: {
    title: (team: string) => `Join ${team}`,
    intro: (email: string, team: string) =>
      `${email} is invited to answer customers with the team ${team}. Choose your name and a password to join.`,
    name: "Your name",
    nameHint: "Customers see it beside your answers.",
    password: "Password",
    submit: "Join the team",
  },
  joined: {
    title: "You are in.",
    text: (email: string, team: string) => `You have joined ${team} as ${email}.`,
    open: "Open the inbox",
  },
  joinRefused: {
    title: "This invitation does not work",
    text: "An invitation works once, for 7 days. Please ask the person who invited you for a new one.",
  },
  widgetUnknown: {
    title: "There is no such widget",
    text: "Please check the address: the id in it belongs to no widget of this Frontdesk.",
  },
  dashboardFileGone: {
    title: "There is a newer dashboard",
    text: "This file belongs to an earlier version. Please reload the page.",
  },
  widgetFileGone: {
    title: "This file is gone",
    text: "It belonged to another version of the widget. Please reload the page.",
  },
  trouble: {
    unreadable: {
      title: "That did not arrive well",
      text: "The form could not be read. Please go back, reload the page and try again.",
    },
    foreign: {
      title: "This form was sent from another page",
      text: "Please open the address you were given in this browser, and send the form from there.",
    },
    unavailable: {
      title: "Just a moment",
      text: "Frontdesk cannot reach its storage right now. Please try again shortly.",
    },
    tooMany: {
      title: "Too many requests",
      text: "Too many pages were asked for from your network. Please wait a moment and try again.",
    },
    fault: {
      title: "Something went wrong",
      text: "That was our fault. Please try again; if it stays so, tell the person who runs this Frontdesk.",
    },
  },
};

export type PageTexts = typeof en;
