/**
 * Returns the origin of the sources: the commit, marked if tracked files differ from it, or `unknown` outside a repository; and the time of
 * all packed files, in seconds since 1970, by SOURCE_DATE_EPOCH or the commit.
 */
export function originOf(root: string, named?: string) {
  const git = (...args: string[]) => Bun.spawnSync({ cmd: ["git", "-C", root, ...args], stderr: "ignore" });
  const head = Bun.which("git") === null ? undefined : git("log", "-1", "--format=%h %ct", "--abbrev=12", "HEAD");
  const [commit = "unknown", committed] = head?.success === true ? head.stdout.toString().trim().split(" ") : [];
  const isChanged = (): boolean => git("status", "--porcelain", "--untracked-files=no").stdout.toString().trim() !== "";
  const marked = commit !== "unknown" && named === undefined && isChanged() ? `${commit}-dirty` : commit;
  const epoch = Number(process.env["SOURCE_DATE_EPOCH"] ?? committed ?? 0);
  if (!Number.isSafeInteger(epoch) || epoch < 0)
    throw new Error("SOURCE_DATE_EPOCH is no number of seconds since 1970");
  return { revision: named ?? marked, epoch };
}
