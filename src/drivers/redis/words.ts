/** Meanings of a server's errors, by their first word. Other errors are given in the server's own words. */
const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    WRONGPASS: "it refuses the user or the password",
    NOPERM: "the rights of its user do not allow this",
    NOAUTH: "it asks for a password, and none is given",
    DENIED: "it is in protected mode, and takes connections of its own host alone",
    OOM: "its memory is full (maxmemory), and it takes no writes",
    READONLY: "it is a replica, and takes no writes",
    MASTERDOWN: "it is a replica that has lost its primary",
    UNBLOCKED: "it has become a replica",
    NOREPLICAS: "too few replicas follow it (min-replicas-to-write), and it takes no writes",
    LOADING: "it is still loading its data",
    MISCONF: "it can't write to its disk, and takes no writes",
  }),
);

const longestReply = 200;

/** Puts an error of the server into words. The part that repeats a command is cut off, since it may hold data. */
export function replyInWords(error: string): { readonly reply: string; readonly words: string } {
  const [reply = ""] = error.split(/\s/, 1);
  const own = error.split(", with args beginning with")[0] ?? "";
  return { reply, words: meanings.get(reply) ?? `it answers ${own.slice(0, longestReply)}` };
}

/** Says what keeps a socket from connecting, by the code of its error. */
export function socketErrorInWords(code: string): string {
  switch (code) {
    case "ECONNREFUSED":
      return "the connection is refused: nothing listens there";
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "DNS_ENOTFOUND":
      return "the name of its host can't be resolved";
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return "its network can't be reached";
    default:
      return `the connection fails: ${code}`;
  }
}
