/** Names that are, hold, or lead to a credential. Upper case; a match anywhere is enough. */
const CREDENTIAL_NAMES = [
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|COOKIE/,
  /PASS(_|$)/, // SMTP_PASS, SSHPASS; also GIT_ASKPASS, which would open a window
  /PWD(_|$)/, // MYSQL_PWD; PWD itself is set by bash
  /KEYS?$|(^|_)KEYS?_|APIKEY/, // API_KEY, AWS_ACCESS_KEY_ID, PRIVATE_KEY_FILE
  /AUTH2?(_|$)|AUTHORIZATION/, // NPM_AUTH, SSH_AUTH_SOCK (an agent's socket is power); not AUTHOR
  /(^|_)PAT(_|$)/, // personal access token
  /CONNECTION_?STRING|(^|_)DSN(_|$)/,
];

/** What would change how a command runs behind its text, or is about the server's own start. */
const NOISE = [
  /^BECKON_/,
  /^NPM_|^INIT_CWD$/,
  /^NODE_(OPTIONS|CHANNEL_FD|UNIQUE_ID|V8_COVERAGE)$/,
  /^LD_(PRELOAD|AUDIT)$|^DYLD_/,
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|CDPATH|GLOBIGNORE)$|^BASH_FUNC_/, // bash obeys these
  /^(SHLVL|_)$/,
  /^(FORCE_COLOR|CLICOLOR_FORCE)$/,
];

/** `scheme://user@host` or `scheme://user:password@host`; a user alone may be a token. */
const URL_WITH_USER = /:\/\/[^\s/?#]*@/;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

const QUIET = { TERM: "dumb", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };

/**
 * The environment of a command: the server's, without what looks like a credential. Errs on the side of leaving out. It keeps honest programs from passing on what they need
 * not have; it is no wall, since a command can read the files of its user.
 */
export function scrubbedEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && mayKeep(entry[0], entry[1]),
  );
  return { ...Object.fromEntries(kept), ...QUIET };
}

function mayKeep(name: string, value: string): boolean {
  const upper = name.toUpperCase();
  if ([...NOISE, ...CREDENTIAL_NAMES].some((pattern) => pattern.test(upper))) return false;
  if (upper.endsWith("PROXY") && value.includes("@")) return false; // user:password@host:3128
  return !URL_WITH_USER.test(value) && !PRIVATE_KEY.test(value);
}
