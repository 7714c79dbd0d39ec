/**
 * What a command is given of the server's environment. A list of what is let through, because no
 * list of what is not can be complete: a credential has any name. Upper case.
 */
const LET_THROUGH = [
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|TZ|TMPDIR|TMP|TEMP|HOSTNAME|HOSTTYPE|OSTYPE)$/,
  /^LC_[A-Z]+$/,
  /^(EDITOR|VISUAL|DISPLAY|WAYLAND_DISPLAY|COLUMNS|LINES|NO_COLOR|CI|EMAIL|MAIL|NAME)$/,
  /^XDG_[A-Z]+_(HOME|DIRS|DIR)$|^XDG_(SESSION_(ID|TYPE)|CURRENT_DESKTOP)$/,
  /^(HTTP|HTTPS|ALL|NO|FTP)_PROXY$/,
  /^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$/,
  /^(NODE_ENV|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE)$/,
  // Where tools and their files are.
  /^(JAVA|MAVEN|GRADLE|ANT|ANDROID|GO|CARGO|RUSTUP|NVM|PNPM|BUN|DENO|PYENV|RBENV|GEM|CONDA|VOLTA|SDKMAN)(_[A-Z]+)*_(HOME|ROOT|DIR|PREFIX|PATH|INSTALL)$/,
  /^(GOPATH|GOROOT|GOBIN|GOFLAGS|PYTHONPATH|PYTHONUNBUFFERED|VIRTUAL_ENV|CONDA_PREFIX|NVM_BIN)$/,
  /^(AWS_PROFILE|AWS_REGION|AWS_DEFAULT_REGION|KUBECONFIG|DOCKER_HOST|DOCKER_CONTEXT)$/,
];

/** `scheme://user@host` or `scheme://user:password@host`; a user alone may be a token. */
const URL_WITH_USER = /:\/\/[^\s/?#]*@/;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

const QUIET = { TERM: "dumb", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };

/**
 * The environment of a command: of the server's, what every command needs and nothing that could be
 * a credential, and the names that the settings add. It keeps honest programs from passing on what
 * they need not have; it is no wall, since a command can read the files of its user.
 *
 * @param allowed names that are let through whatever they hold; the server's own never are
 */
export function scrubbedEnvironment(
  environment: NodeJS.ProcessEnv,
  allowed: readonly string[] = [],
): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (allowed.includes(entry[0]) || mayKeep(entry[0], entry[1])),
  );
  return {
    ...Object.fromEntries(kept.filter(([name]) => !/^BECKON_/i.test(name))),
    ...QUIET,
  };
}

function mayKeep(name: string, value: string): boolean {
  const upper = name.toUpperCase();
  if (!LET_THROUGH.some((pattern) => pattern.test(upper))) return false;
  if (upper.endsWith("PROXY") && value.includes("@")) return false; // user:password@host:3128
  return !URL_WITH_USER.test(value) && !PRIVATE_KEY.test(value);
}
