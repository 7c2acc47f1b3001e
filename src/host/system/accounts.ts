import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Resolves to a user of this host, or of the system below another root. Undefined if there is none of that name. */
export async function accountOf(name: string, root = "/"): Promise<Account | undefined> {
  const passwd = await readFile(join(root, "etc/passwd"), "utf8").catch(() => "");
  const [, , uid, gid] =
    passwd
      .split("\n")
      .map((line) => line.split(":"))
      .find(([user]) => user === name) ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}
