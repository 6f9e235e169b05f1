import { createRoot } from "react-dom/client";
import "./style.css";
import { loadTexts } from "./texts/texts.ts";
import { followTheme } from "./theme.ts";

followTheme();
// The texts and the application are fetched side by side.
const [{ App }] = await Promise.all([import("./app.tsx"), loadTexts()]);
const place = document.getElementById("app");
if (place) createRoot(place).render(<App />);
