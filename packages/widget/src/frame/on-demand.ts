/** What a first look does not need, with its style: loaded by `load-on-demand.ts`. It must not import what keeps state. */
import { Attachments, attach, listenForFiles } from "./attachments.tsx";
import { chime } from "./chime.ts";
import { EmojiGrid } from "./emoji-grid.tsx";
import { LeaveEmail } from "./leave-email.tsx";
import { ai } from "./load-ai.ts";
import { Articles, articlesScript } from "./load-articles.ts";
import css from "./on-demand.css";
import { announce, newestAnswer, Preview } from "./preview.tsx";
import { Rating } from "./rating.tsx";

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

// One object: the build shortens the names of its members, but not those of exports.
export default {
  ...{ Attachments, attach, listenForFiles },
  ...{ Preview, announce, newestAnswer },
  ...{ ai, Articles, articlesScript, chime, EmojiGrid, LeaveEmail, Rating },
};
