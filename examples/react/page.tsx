import { createWebSocketTransport } from "beckon/transport";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { signIn } from "./sign-in.ts";
import "./page.css";

// An address with a code that is opened in this tab changes nothing but the part after the #.
addEventListener("hashchange", () => location.reload());

const place = document.getElementById("beckon");
if (place) {
  createRoot(place).render(
    (await signIn()) ? (
      <App transport={createWebSocketTransport()} />
    ) : (
      <p>You are not signed in. Press Enter in the terminal and open the address it prints.</p>
    ),
  );
}
