import { Monitor, Moon, Settings as Gear, Sun } from "lucide-react";
import { type ReactNode, useState } from "react";
import { askToNotify, ring } from "../attention/notify.ts";
import { useConnection } from "../parts.ts";
import { type Preferences, setPreferences, usePreferences } from "../preferences.ts";
import { signOut } from "../sign-in/credential.ts";
import type { ShellProps } from "./shell.tsx";

const THEMES: [Preferences["theme"], string, ReactNode][] = [
  ["system", "System", <Monitor key="s" aria-hidden size={15} />],
  ["light", "Light", <Sun key="l" aria-hidden size={15} />],
  ["dark", "Dark", <Moon key="d" aria-hidden size={15} />],
];
const CONNECTION = {
  online: "Connected",
  connecting: "Connecting…",
  offline: "Offline",
  signed_out: "Signed out",
};

export function Settings({ name, onSignedOut }: ShellProps) {
  const { state } = useConnection();
  const { interactive } = usePreferences();
  return (
    <details className="border-t border-line" name="settings">
      <summary className="flex cursor-pointer items-center gap-2.5 px-4 py-3 text-sm">
        <span className={state === "online" ? "dot-online" : "dot-offline"} />
        <span className="min-w-0 flex-1 truncate">
          {name} <span className="text-soft">· {CONNECTION[state]}</span>
        </span>
        {!interactive && <span className="chip">Read-only</span>}
        <Gear aria-hidden size={16} className="text-soft" />
        <span className="sr-only">Settings</span>
      </summary>
      <Panel onSignedOut={onSignedOut} />
    </details>
  );
}

function Panel({ onSignedOut }: { onSignedOut: () => void }) {
  const preferences = usePreferences();
  const [note, setNote] = useState<string>();
  return (
    <div className="grid gap-3 px-4 pb-4 text-sm">
      <Switch
        label="Answer prompts here"
        about="Off: this page only watches, and agents do not count on you."
        on={preferences.interactive}
        set={(interactive) => setPreferences({ interactive })}
      />
      <Switch
        label="Notify me"
        about="When something waits and this page is hidden."
        on={preferences.notify}
        set={(on) =>
          void askToNotify(on).then((notify) => {
            setPreferences({ notify });
            setNote(on && !notify ? "Your browser does not allow notifications here." : undefined);
          })
        }
      />
      <Switch
        label="Sound"
        about="A short tone along with it."
        on={preferences.sound}
        set={(sound) => {
          setPreferences({ sound });
          if (sound) ring();
        }}
      />
      {note && (
        <p role="alert" className="text-danger">
          {note}
        </p>
      )}
      <fieldset className="flex gap-1">
        <legend className="sr-only">Theme</legend>
        {THEMES.map(([theme, label, icon]) => (
          <button
            key={theme}
            className="button flex-1 px-1 text-xs"
            aria-pressed={preferences.theme === theme}
            onClick={() => setPreferences({ theme })}
          >
            {icon} {label}
          </button>
        ))}
      </fieldset>
      <p className="text-xs text-soft">
        Local trust: programs that run as the server’s user can read its token, and so answer too.
      </p>
      <button className="button" onClick={() => void signOut().then(onSignedOut, onSignedOut)}>
        Sign out
      </button>
    </div>
  );
}

function Switch(props: { label: string; about: string; on: boolean; set: (on: boolean) => void }) {
  return (
    <label className="flex items-start gap-3">
      <input
        type="checkbox"
        role="switch"
        className="switch"
        checked={props.on}
        onChange={(event) => props.set(event.target.checked)}
      />
      <span>
        {props.label}
        <span className="block text-xs text-soft">{props.about}</span>
      </span>
    </label>
  );
}
