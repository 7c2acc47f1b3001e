import { afterAll } from "bun:test";
import { startStage, type StartedStage } from "../stage.ts";
import type { TargetOptions } from "../target.ts";
import { startGitHub, type GitHubStandIn } from "./github.ts";
import { envOf } from "./journey.ts";
import { startOpenId, type OpenIdStandIn } from "./openid.ts";
import type { Account, OpenIdName, StandIn } from "./provider.ts";

/** Gatehouse, a stand-in for each provider, and a mailbox. */
export interface World extends StartedStage, Readonly<Record<OpenIdName, OpenIdStandIn>> {
  readonly github: GitHubStandIn;
  readonly providers: readonly StandIn[];
  /** Makes a person with an account at these providers, known there by `name`, with one address everywhere. */
  newcomer(name: string, account?: Partial<Account>): Newcomer;
  /** Runs `work`, in which an exchange with that provider must fail. Resolves to the reason in the log. */
  failureOf(provider: { readonly name: string }, work: () => Promise<unknown>): Promise<string>;
}

export interface Newcomer {
  /** The text to type into a provider's sign-in page. */
  readonly account: string;
  readonly email: string;
  readonly subject: string;
}

/** Starts a world for the tests of a file or of a describe block, and stops it after the last. */
export async function stageWorld(env: Readonly<Record<string, string>> = {}): Promise<World> {
  const world = await startWorld(env, { shared: true });
  afterAll(world.stop);
  return world;
}

/** Starts the service and the providers. Stopping them fails where a secret is in the log. */
export async function startWorld(
  env: Readonly<Record<string, string>> = {},
  options: Pick<TargetOptions, "shared"> = {},
): Promise<World> {
  const github = await startGitHub();
  const google = await startOpenId("google");
  const microsoft = await startOpenId("microsoft");
  const apple = await startOpenId("apple");
  const acme = await startOpenId("acme-login");
  const providers = [github, google, microsoft, apple, acme];
  const staged = await startStage({ ...options, env: { ...envOf(...providers), ...env } });
  let count = 1000;

  return {
    ...staged,
    github,
    google,
    microsoft,
    apple,
    "acme-login": acme,
    providers,

    newcomer(name, account = {}) {
      count += 1;
      const known = `${name}${count}`;
      const email = account.email ?? `${known}@people.test`;
      const subject = account.subject ?? String(count);
      for (const { accounts } of providers)
        accounts.set(known, { emailVerified: true, login: known, ...account, subject, email });
      return { account: known, email, subject };
    },

    async failureOf({ name }, work) {
      const failures = (): string[] =>
        staged.target
          .logs()
          .split("\n")
          .filter((line) => line.includes("oauth exchange failed") && line.includes(`"provider":"${name}"`));
      const before = failures().length;
      await work();
      const deadline = performance.now() + 60_000;
      for (;;) {
        const line = failures()[before];
        // The rest of the line may still be on its way.
        const reason = /"reason":"([a-z_]+)"/.exec(line ?? "")?.[1];
        if (reason !== undefined) return reason;
        if (performance.now() > deadline) throw new Error(`no failed exchange with ${name} in the log`);
        await Bun.sleep(5);
      }
    },

    async stop() {
      const logs = staged.target.logs();
      await staged.stop();
      for (const provider of providers) await provider.stop();
      const secrets = providers.flatMap((provider) => [...provider.secrets, ...secretsIn(provider.env)]);
      const leaked = secrets.filter((secret) => secret.length > 8 && logs.includes(secret));
      if (leaked.length > 0) throw new Error(`${leaked.length} of ${secrets.length} secrets are in the log`);
    },
  };
}

const secretsIn = (env: Readonly<Record<string, string>>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (/_(?:SECRET|PRIVATE_KEY)$/.test(name) ? [value] : []));
