import { readFileSync } from "node:fs";
import { isOperatorName } from "../../core/people/operators.ts";

/** What the kernel says of a process that no login has begun, such as a service. */
const noLogin = 4_294_967_295;

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Other systems have no such file. Then nothing is known from it.
    return "";
  }
}

/** Returns the name of the user whose login began this process, even if it runs as another user now. */
function nameOfLogin(read: (path: string) => string): string | undefined {
  const written = read("/proc/self/loginuid").trim();
  if (!/^\d{1,10}$/.test(written) || Number(written) === noLogin) return undefined;
  return read("/etc/passwd")
    .split("\n")
    .map((line) => line.split(":"))
    .find(([, , uid]) => uid === written)?.[0];
}

/**
 * Returns the login name of the person who runs a command, also behind `sudo`, for the audit log: by the login that the kernel remembers, else
 * as sudo says. Undefined where nobody is known, as of a command of a schedule.
 */
export function operatorOf(env: Readonly<Record<string, string | undefined>>, read = readText): string | undefined {
  const found = nameOfLogin(read) ?? env["SUDO_USER"] ?? "";
  return isOperatorName(found) ? found : undefined;
}
