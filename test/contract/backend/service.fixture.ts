import { createClient } from "../../support/client.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { noteSecret } from "../../support/seen.ts";
import type { Target } from "../../support/target.ts";

export const introspectPath = "/api/v1/auth/introspect";

/** Makes services of a target as an operator does, and sends their requests. */
export function serviceKit({ folder, env, url }: Target) {
  const run = (...args: string[]): Promise<CommandResult> => runGatehouse(args, { cwd: folder, env });

  return {
    run,

    /** Makes a service and resolves to its secret. From then on, the logs are searched for it. */
    async create(name: string, scope = "introspect"): Promise<string> {
      const { code, stdout, stderr } = await run("service:create", name, "--scope", scope);
      if (code !== 0) throw new Error(stderr);
      const secret = stdout.trim();
      noteSecret(url, secret);
      return secret;
    },

    introspect: (secret: string | undefined, token: unknown, headers: Record<string, string> = {}) =>
      createClient(url).post(
        introspectPath,
        { token },
        { headers: { ...(secret !== undefined && { authorization: `Bearer ${secret}` }), ...headers } },
      ),
  };
}
