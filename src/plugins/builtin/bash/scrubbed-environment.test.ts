import { expect, test } from "vitest";
import { scrubbedEnvironment } from "./scrubbed-environment.ts";

const kept = (name: string, value = "value") =>
  scrubbedEnvironment({ [name]: value })[name] === value;

test.each([
  "BECKON_TOKEN",
  "BECKON_DATA",
  "beckon_anything",
  "GITHUB_TOKEN",
  "github_token",
  "TOKEN",
  "TOKENS",
  "AUTHTOKEN",
  "ACTIONS_ID_TOKEN_REQUEST_URL",
  "CLIENT_SECRET",
  "SECRETS_FILE",
  "PGPASSWORD",
  "MYSQL_PWD",
  "SMTP_PASS",
  "SSHPASS",
  "GIT_ASKPASS",
  "SSH_ASKPASS",
  "SUDO_ASKPASS",
  "HTPASSWD",
  "GPG_PASSPHRASE",
  "ANTHROPIC_API_KEY",
  "OPENAI_APIKEY",
  "APIKEY_PROD",
  "STRIPE_KEY",
  "KEY",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "SSH_PRIVATE_KEY",
  "DEPLOY_KEYS",
  "SESSION_KEY",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "AWS_CREDENTIAL_EXPIRATION",
  "NPM_AUTH",
  "HTTP_AUTH_HEADER",
  "OAUTH2_CLIENT",
  "AUTHORIZATION",
  "SSH_AUTH_SOCK",
  "SESSION_COOKIE",
  "GH_PAT",
  "AZURE_STORAGE_CONNECTION_STRING",
  "SENTRY_DSN",
  "npm_config_registry",
  "npm_lifecycle_event",
  "npm_package_name",
  "INIT_CWD",
  "NODE_OPTIONS",
  "NODE_CHANNEL_FD",
  "LD_PRELOAD",
  "LD_AUDIT",
  "DYLD_INSERT_LIBRARIES",
  "BASH_ENV",
  "ENV",
  "SHELLOPTS",
  "BASH_FUNC_ls%%",
  "PWD",
  "OLDPWD",
  "LD_LIBRARY_PATH",
  "GIT_SSH_COMMAND",
  "SLACK_WEBHOOK_URL",
  "STRIPE_SK",
  "JWT",
  "DATABASE_URL",
  "COMPATIBLE",
  "KEYBOARD",
  "ANYTHING_ELSE",
])("%s is left out", (name) => {
  expect(kept(name)).toBe(false);
});

test.each([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LC_ALL",
  "TZ",
  "TMPDIR",
  "EDITOR",
  "DISPLAY",
  "XDG_CONFIG_HOME",
  "XDG_SESSION_ID",
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "NODE_ENV",
  "NODE_EXTRA_CA_CERTS",
  "JAVA_HOME",
  "GOPATH",
  "VIRTUAL_ENV",
  "AWS_PROFILE",
  "AWS_REGION",
  "KUBECONFIG",
  "DOCKER_HOST",
  "NO_PROXY",
  "CI",
])("%s is kept", (name) => {
  expect(kept(name)).toBe(true);
});

test.each([
  ["HTTPS_PROXY", "http://proxy.example:3128", true],
  ["https_proxy", "http://proxy.example:3128/", true],
  ["HTTPS_PROXY", "http://me:pw@proxy.example:3128", false],
  ["https_proxy", "http://token@proxy.example", false],
  ["all_proxy", "me:pw@proxy.example:1080", false],
  ["DOCKER_HOST", "ssh://me:pw@db/x", false],
  ["DOCKER_HOST", "tcp://db/x", true],
  ["DOCKER_HOST", "tcp://db/x?mail=a@b", true],
  ["LANG", "a=http://a b=https://me:pw@b", false],
  ["LANG", "https://example.com/@me", true],
  ["LANG", "-----BEGIN RSA PRIVATE KEY-----\nMII", false],
  ["LANG", "-----BEGIN PRIVATE KEY-----\nMII", false],
  ["LANG", "-----BEGIN PUBLIC KEY-----\nMII", true],
  ["EMAIL", "me@example.com", true],
])("%s=%s: whether it is kept is %s", (name, value, expected) => {
  expect(kept(name, value)).toBe(expected);
});

test("nothing of the server's own is handed on, and nothing asks at a terminal", () => {
  const server = { BECKON_TOKEN: "owner", BECKON_URL: "http://old", PAGER: "less", TERM: "xterm" };
  expect(scrubbedEnvironment(server)).toEqual({
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
  });
});

test("the server's own environment is not changed, and undefined is no value", () => {
  const server = Object.freeze({ PATH: "/bin", API_KEY: "x", GONE: undefined });
  const result = scrubbedEnvironment(server);
  expect(result["PATH"]).toBe("/bin");
  expect("GONE" in result).toBe(false);
  expect(server.API_KEY).toBe("x");
});

test("a value of a megabyte is looked through without delay", () => {
  const long = "a".repeat(1_000_000);
  expect(kept("LANG", `${long}://${long}`)).toBe(true);
  expect(kept("LANG", "-----BEGIN ".repeat(90_000))).toBe(true);
});

test("names that the settings allow are let through, but never the server's own", () => {
  const server = { DATABASE_URL: "postgres://me:pw@db/x", JWT: "x", BECKON_TOKEN: "owner" };
  const result = scrubbedEnvironment(server, ["DATABASE_URL", "BECKON_TOKEN"]);
  expect(result).toMatchObject({ DATABASE_URL: "postgres://me:pw@db/x" });
  expect(result).not.toHaveProperty("JWT");
  expect(result).not.toHaveProperty("BECKON_TOKEN");
});
