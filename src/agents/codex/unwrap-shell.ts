/** A shell as Codex calls it: with a whole command as its last argument. */
const SHELL = /^\S*\/(?:ba|z|da|k)?sh -l?c (.+)$/s;

/** The command that the model wanted, out of the one that Codex ran: `/bin/bash -lc 'ls -a'`. */
export function unwrapShell(command: string): string {
  const [, quoted] = SHELL.exec(command) ?? [];
  return (quoted === undefined ? undefined : unquote(quoted)) ?? command;
}

/** One word of a shell's, or a part of one: in single quotes, in double quotes, or in none. */
const PART = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gsy;

/** What a shell makes of one quoted word; nothing where it is more than one. */
function unquote(quoted: string): string | undefined {
  let word = "";
  PART.lastIndex = 0;
  let read = 0;
  for (let part = PART.exec(quoted); part; part = PART.exec(quoted)) {
    const [whole, single, double, escaped, plain] = part;
    word += single ?? double?.replaceAll(/\\([$`"\\])/g, "$1") ?? escaped ?? plain ?? "";
    read += whole.length;
  }
  return read === quoted.length ? word : undefined;
}
