/** Every text of the server's own pages, in English. Another language is another object of the type `PageTexts`. */
export const en = {
  lang: "en",
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
      title: "The address could not be read",
      text: "Check the link, or open the page again from where you found it.",
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
