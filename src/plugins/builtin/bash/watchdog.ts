/**
 * Starts the watchdog ($1), then becomes the command ($2). File descriptor 3 is a socket to the
 * server, which only the watchdog may keep. The watchdog is no child of the command: a command that
 * waits for all of its children must not wait for that one. Nor is the socket its standard input:
 * a bash that finds one there takes itself for a remote login and reads ~/.bashrc. It ignores from
 * its first moment what a command may send to its whole group (`kill 0`).
 */
export const LAUNCH = `
( trap "" HUP INT QUIT TERM USR1 USR2 ALRM PIPE
  "$BASH" -c "$1" beckon-watchdog "$$" >/dev/null 2>&1 & ) &&
exec -a bash "$BASH" -c -- "$2" 3<&-
`;

/** The same for a program and its arguments ($2 and on), which no shell reads. */
export const LAUNCH_PROGRAM = `
( trap "" HUP INT QUIT TERM USR1 USR2 ALRM PIPE
  /bin/sh -c "$1" beckon-watchdog "$$" >/dev/null 2>&1 & ) &&
shift && exec "$@" 3<&-
`;

/**
 * Ends what is left of a command when the server says so or is gone: the kernel closes the socket
 * of a process that died, however it died. A line means SIGTERM, the end of the socket SIGKILL.
 *
 * A group is not enough: `timeout` and `set -m` make groups of their own. On Linux /proc says
 * who is of the session; elsewhere the group has to do. Killing is repeated because who is killed
 * may just have forked, though not for ever: what runs as root cannot be killed from here. The last
 * line takes the watchdog itself along, which closes its socket: so the server knows it is done.
 */
export const WATCHDOG = `
leader=$1
signal_others() {
  found=1
  for stat in /proc/[0-9]*/stat; do
    read -r line <"$stat" || continue
    pid=\${line%% *}
    set -- "$1" \${line##*) } # signal, state, parent, group, session
    if [ "$5" != "$leader" ] || [ "$pid" = "$$" ] || [ "$2" = Z ]; then continue; fi
    kill -s "$1" "$pid" && found=0
  done
  return "$found"
}
while read -r _ <&3; do
  signal_others TERM || kill -s TERM -- "-$leader"
done
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  signal_others KILL || break
done
kill -s KILL -- "-$leader"
`;
