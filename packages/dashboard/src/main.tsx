import { createRoot } from "react-dom/client";
import "./style.css";
import { App } from "./app.tsx";
import { meQuery } from "./service/me.ts";
import { queries } from "./service/queries.ts";
import { loadTexts } from "./texts/texts.ts";
import { followTheme } from "./theme.ts";

followTheme();
// Every screen needs the signed-in agent: fetched in parallel with the texts.
void queries.prefetchQuery(meQuery);
await loadTexts();
const place = document.getElementById("app");
if (place) createRoot(place).render(<App />);
