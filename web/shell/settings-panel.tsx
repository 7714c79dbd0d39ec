import { Monitor, Moon, Sun } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { askToNotify } from "../attention/notify.ts";
import { ring } from "../attention/ring.ts";
import { type Preferences, setPreferences, usePreferences } from "../preferences.ts";
import { signOut } from "../sign-in/credential.ts";
import type { ShellProps } from "./shell.tsx";

const THEMES: [Preferences["theme"], string, ReactNode][] = [
  ["system", "System", <Monitor key="s" aria-hidden size={15} />],
  ["light", "Light", <Sun key="l" aria-hidden size={15} />],
  ["dark", "Dark", <Moon key="d" aria-hidden size={15} />],
];

export function SettingsPanel({ name, onSignedOut }: ShellProps) {
  const preferences = usePreferences();
  const [problem, setProblem] = useState<string>();
  const leave = () => onSignedOut();
  const allow = async (on: boolean) => {
    const refused = on ? await askToNotify() : undefined;
    setPreferences({ notify: on && refused === undefined });
    setProblem(refused);
  };
  return (
    <div className="grid max-h-[60dvh] gap-3 overflow-y-auto px-4 pb-4 text-sm">
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
        set={(on) => void allow(on)}
      />
      {problem && (
        <p role="alert" className="text-xs text-danger">
          {problem}
        </p>
      )}
      <Switch
        label="Sound"
        about="A short tone when something waits and this page is hidden."
        on={preferences.sound}
        set={(sound) => {
          setPreferences({ sound });
          if (sound) ring();
        }}
      />
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
      <div className="grid gap-2 border-t border-line pt-3 text-xs text-soft">
        <p>
          Signed in as <strong className="font-medium text-ink">{name}</strong>. Run{" "}
          <code>beckon token list</code> to see every browser and program that may come in, and{" "}
          <code>beckon token revoke</code> to end one.
        </p>
        <p>
          <strong className="font-medium text-ink">Local trust.</strong> A program that runs as the
          server’s user on its machine can read the owner’s token, and so answer in your place.
          Agents get a token of their own, which can ask and not answer.
        </p>
        <Version />
      </div>
      <button className="button" onClick={() => void signOut().then(leave, leave)}>
        Sign out
      </button>
    </div>
  );
}

function Version() {
  const [version, setVersion] = useState<string>();
  useEffect(() => {
    void fetch("/api/health")
      .then((answer) => answer.json() as Promise<{ version: string }>)
      .then((health) => setVersion(health.version))
      .catch(() => {});
  }, []);
  return version ? <p>Beckon {version}</p> : null;
}

function Switch(props: { label: string; about: string; on: boolean; set: (on: boolean) => void }) {
  const id = useId();
  return (
    <label className="flex items-start gap-3">
      <input
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox tells that itself
        role="switch"
        className="switch"
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-about`}
        checked={props.on}
        onChange={(event) => props.set(event.target.checked)}
      />
      <span>
        <span id={`${id}-label`}>{props.label}</span>
        <span id={`${id}-about`} className="block text-xs text-soft">
          {props.about}
        </span>
      </span>
    </label>
  );
}
