import { createClient } from "../../support/client.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { noteSecret } from "../../support/seen.ts";
import type { Target } from "../../support/target.ts";

export const introspectPath = "/api/v1/auth/introspect";
const usersPath = "/api/v1/users";

/** Makes services of a target as an operator does, and sends their requests. */
export function serviceKit({ folder, env, url }: Target) {
  const run = (...args: string[]): Promise<CommandResult> => runGatehouse(args, { cwd: folder, env });

  async function create(name: string, scope = "introspect"): Promise<string> {
    const { code, stdout, stderr } = await run("service:create", name, "--scope", scope);
    if (code !== 0) throw new Error(stderr);
    const secret = stdout.trim();
    noteSecret(url, secret);
    return secret;
  }

  return {
    run,

    /** Makes a service and resolves to its secret. From then on, the logs are searched for it. */
    create,

    /** Makes a service with these scopes, and resolves to its requests to the users API. */
    async backend(name: string, scope: string) {
      const authorization = `Bearer ${await create(name, scope)}`;
      const call = (method: string, rest = "", body?: unknown, headers: Record<string, string> = {}) =>
        createClient(url).request(method, `${usersPath}${rest}`, body, { headers: { authorization, ...headers } });
      return {
        get: (rest = "") => call("GET", rest),
        post: (rest: string, body: unknown = {}) => call("POST", rest, body),
        patch: (id: string, body: unknown, headers?: Record<string, string>) => call("PATCH", `/${id}`, body, headers),
        /** Sends a body as it is. */
        patchRaw: (id: string, body: string) =>
          createClient(url).request("PATCH", `${usersPath}/${id}`, undefined, {
            headers: { authorization, "content-type": "application/json" },
            body,
          }),
      };
    },

    introspect: (secret: string | undefined, token: unknown, headers: Record<string, string> = {}) =>
      createClient(url).post(
        introspectPath,
        { token },
        { headers: { ...(secret !== undefined && { authorization: `Bearer ${secret}` }), ...headers } },
      ),
  };
}
