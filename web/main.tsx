import "./styles.css";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { applyTheme } from "./preferences.ts";
import { takeCode } from "./sign-in/credential.ts";

// First of all: a code that stays in the address would stay in the history.
const code = takeCode();
applyTheme();

const root = document.getElementById("app");
if (root) createRoot(root).render(<App code={code} />);
