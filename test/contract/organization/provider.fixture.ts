import { afterAll } from "bun:test";
import { auth, type Person } from "../../support/auth.ts";
import type { Answer, Client } from "../../support/client.ts";
import { approve } from "../../support/oauth/journey.ts";
import { startOpenId } from "../../support/oauth/openid.ts";
import { publicUrl, type Account } from "../../support/oauth/provider.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { stage, type StageOptions } from "../../support/stage.ts";
import { domainKit, freshDomain, nameServerOfFile } from "./domain.fixture.ts";
import { of, organizationKit } from "./organization.fixture.ts";

/** A company with an owner, a proven domain and a provider of its own. */
export interface Company {
  readonly owner: Person;
  readonly id: string;
  readonly domain: string;
  readonly domainId: string;
  /** The path at which sign-ins begin. */
  readonly start: string;
}

let count = 0;

/** Starts Gatehouse with a server of names and an OpenID provider for the tests of a file. */
export async function stageCompanies(
  more: Readonly<Record<string, string>> = {},
  options: Pick<StageOptions, "smtp"> = {},
) {
  const { names, env } = await nameServerOfFile();
  const acme = await startOpenId("acme-login");
  afterAll(acme.stop);
  const staged = await stage({ ...options, env: { APP_URL: publicUrl, ...env, ...more } });
  const { people, browser } = staged;
  const kit = organizationKit(staged);
  const domains = domainKit(staged, names);
  const settings = {
    issuer: acme.url,
    client_id: acme.clientId,
    client_secret: acme.env["AUTH_OIDC_ACME_LOGIN_CLIENT_SECRET"] ?? "",
  };
  const setProvider = ({ client }: Person, id: string, changed: object = {}): Promise<Answer> =>
    client.request("PUT", of(id, "provider"), { ...settings, ...changed });

  /** Goes to the provider and back. `account` is what is typed there. */
  async function visit(client: Client, start: string, account: string): Promise<Answer> {
    const started = await client.get(start);
    if (started.status !== 302) return started;
    const authorization = new URL(started.headers.get("location") ?? "");
    const { params } = await approve(acme, authorization, account);
    const { pathname } = new URL(authorization.searchParams.get("redirect_uri") ?? "");
    return client.get(`${pathname}?${params.toString()}`, { headers: { "sec-fetch-site": "cross-site" } });
  }

  return {
    ...staged,
    names,
    acme,
    kit,
    domains,
    settings,
    setProvider,
    visit,

    async company({ enforced = false, join = "none" } = {}): Promise<Company> {
      const owner = await people.register("ada");
      const domain = freshDomain();
      const id = await kit.create(owner, `Acme ${(count += 1)} Inc`);
      const { id: domainId } = await domains.prove(owner, id, domain, join);
      const set = await setProvider(owner, id, { enforced });
      if (set.status !== 200) throw new Error(`no provider: ${set.text}`);
      acme.redirects.add(set.textAt("provider.callback"));
      return { owner, id, domain, domainId, start: new URL(set.textAt("provider.start")).pathname };
    },

    /** Makes an account at the provider. Returns what to type there. */
    account(email: string, more: Partial<Account> = {}): string {
      const name = `person${(count += 1)}`;
      acme.accounts.set(name, { subject: `subject-${count}`, email, ...more });
      return name;
    },

    /** Has somebody with a proven address below the domain be a member, in whose browser nobody is signed in afterwards. */
    async employee(company: Pick<Company, "owner" | "id" | "domain">, name = "bob"): Promise<Person> {
      const person = await domains.person(name, company.domain);
      await kit.join(company.owner, company.id, person);
      return person;
    },

    signInWith: async (company: Company, account: string): Promise<{ client: Client; answer: Answer }> => {
      const client = browser();
      return { client, answer: await visit(client, company.start, account) };
    },

    /** Runs a command of an operator. */
    run: (...args: string[]): Promise<CommandResult> =>
      runGatehouse(args, { cwd: staged.target.folder, env: staged.target.env, stdin: "" }),

    me: async (client: Client) => client.get(auth("me")),
  };
}

/** Says how a sign-in with a provider has ended: the address that it leads to, or the refusal. */
export const ended = ({ status, headers, at }: Answer): unknown =>
  status === 303 ? headers.get("location") : [status, at("code")];
