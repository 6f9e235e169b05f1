/** Every text of the server's own pages, in English. Another language is another object of the type `PageTexts`. */
export const en = {
  lang: "en",
  form: {
    summary: "Please check the following:",
    missing: "Please fill this in.",
    errorTitle: (title: string) => `Error: ${title}`,
    passwordHint: (min: number) => `At least ${min} characters. Tip: use a few random words.`,
  },
  setup: {
    title: "Set up Frontdesk",
    intro: "Create your team and its first account. You can add more people later.",
    teamName: "Team name",
    teamNameHint: "Visitors may see this name.",
    ownerName: "Your name",
    email: "Your email",
    password: "Password",
    widgetName: "Name of the first widget",
    widgetNameHint: "A widget is where visitors chat with you, such as your website.",
    widgetNameDefault: "Website",
    submit: "Create team",
  },
  setupDone: {
    title: "Your team is ready",
    open: "Open your inbox",
    intro: "Copy the API key now. It won't be shown again.",
    apiKey: "API key",
    widgetId: "Widget ID",
    teamId: "Team ID",
    demo: "See your widget on a demo page, with the line to add to your own pages",
    tryTitle: "Send a first message",
    tryIntro: "Paste this into a terminal to send your team a message as a visitor:",
    firstMessage: "Hello from my first visitor!",
  },
  setupRefused: {
    title: "This link doesn't work",
    text: "Each setup link works once, and only the latest one is valid. To get a new link, restart Frontdesk. It prints the link when it starts.",
  },
  setupClosed: {
    title: "Setup is complete",
    text: "This Frontdesk already has a team. To join it, ask the owner for an invitation.",
  },
  join: {
    title: (team: string) => `Join ${team}`,
    intro: (email: string, team: string) =>
      `You've been invited as ${email} to join ${team} and answer its customers. Enter your name and choose a password.`,
    name: "Your name",
    nameHint: "Customers see it next to your replies.",
    password: "Password",
    submit: "Join team",
  },
  joined: {
    title: "Welcome to the team",
    text: (email: string, team: string) => `You have joined ${team} as ${email}.`,
    open: "Open inbox",
  },
  joinRefused: {
    title: "This invitation doesn't work",
    text: "Invitations work once and expire after 7 days. Ask the person who invited you for a new one.",
  },
  widgetUnknown: {
    title: "Widget not found",
    text: "Check the address. This Frontdesk has no widget with that ID.",
  },
  dashboardFileGone: {
    title: "A newer version is available",
    text: "This file belongs to an earlier version of the dashboard. Please reload the page.",
  },
  widgetFileGone: {
    title: "File not found",
    text: "This file belongs to another version of the widget. Please reload the page.",
  },
  trouble: {
    unreadable: {
      title: "The form could not be read",
      text: "Go back, reload the page and try again.",
    },
    foreign: {
      title: "This form was sent from another page",
      text: "Open the link you received in this browser and submit the form there.",
    },
    unavailable: {
      title: "Just a moment",
      text: "Frontdesk can't reach its storage right now. Please try again shortly.",
    },
    tooMany: {
      title: "Too many requests",
      text: "Your network has requested too many pages. Please wait a moment and try again.",
    },
    fault: {
      title: "Something went wrong",
      text: "This is a problem on our side. Please try again. If it keeps happening, tell the person who runs this Frontdesk.",
    },
  },
};

export type PageTexts = typeof en;
