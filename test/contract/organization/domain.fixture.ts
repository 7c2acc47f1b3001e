import { afterAll } from "bun:test";
import { auth, mailedToken, type Person } from "../../support/auth.ts";
import { eventually } from "../../support/log.ts";
import { startNameServer, type NameServer } from "../../support/name.server.ts";
import type { Stage } from "../../support/stage.ts";
import { of, organizationsOn } from "./organization.fixture.ts";

/** Starts a server of names for the tests of a file, and returns the settings by which a target asks it. */
export async function nameServerOfFile(): Promise<{
  readonly names: NameServer;
  readonly env: Record<string, string>;
}> {
  const names = await startNameServer();
  afterAll(names.stop);
  return { names, env: { ...organizationsOn, ORGANIZATIONS_DNS_SERVERS: names.address } };
}

export const recordOf = (domain: string): string => `_gatehouse-challenge.${domain}`;

interface Claim {
  readonly id: string;
  readonly value: string;
}

let count = 0;
/** Returns a domain that no other test has. */
export const freshDomain = (name = "acme"): string => `${name}${(count += 1)}-${process.pid}.test`;

/** Claims and proves domains, and makes people with addresses below them. */
export function domainKit({ people, rows, mailbox }: Pick<Stage, "people" | "rows" | "mailbox">, names: NameServer) {
  async function claim({ client }: Pick<Person, "client">, id: string, domain: string): Promise<Claim> {
    const made = await client.post(of(id, "domains"), { domain });
    if (made.status !== 200) throw new Error(`not claimed: ${made.status} ${made.text}`);
    return { id: made.textAt("domain.id"), value: made.textAt("domain.record.value") };
  }

  const verify = ({ client }: Pick<Person, "client">, id: string, claimed: Pick<Claim, "id">) =>
    client.post(of(id, "domains", claimed.id, "verify"));

  return {
    claim,
    verify,

    /** Claims a domain, writes its record and has it looked for. */
    async prove(person: Person, id: string, domain: string, join?: string): Promise<Claim> {
      const claimed = await claim(person, id, domain);
      names.answers.set(recordOf(domain), { texts: [["another text"], [claimed.value]] });
      const proven = await verify(person, id, claimed);
      if (proven.status !== 200) throw new Error(`not proven: ${proven.status} ${proven.text}`);
      if (join !== undefined) await person.client.request("PATCH", of(id, "domains", claimed.id), { join });
      return claimed;
    },

    /** Registers somebody with an address below a domain, who proves it by the mailed link unless they don't. */
    async person(name: string, domain: string, isProven = true): Promise<Person> {
      count += 1;
      const person = await people.register(name, { email: `${name}.${count}@${domain}` });
      const own = { login: person.email };
      const login: Person["login"] = (fields) => person.login({ ...fields, ...own });
      if (!isProven) return { ...person, login };
      const token = await mailedToken(mailbox, person.email, "Verify your email");
      const proven = await person.client.post(auth("email-verification/confirm"), { token });
      if (proven.status !== 200) throw new Error(`not verified: ${proven.status} ${proven.text}`);
      return { ...person, login };
    },

    /** Makes the proofs as old as so many days, and has them looked at again as the schedule does. */
    async recheck(days = 1): Promise<void> {
      const ms = days * 24 * 60 * 60 * 1_000;
      rows.run(`update organization_domains set checked_at = checked_at - ${ms}, seen_at = seen_at - ${ms}`);
      const runs = (): number =>
        rows.count("schedule_history where name = 'organization:recheck-domains' and ended_at is not null");
      const before = runs();
      rows.run("update schedules set requested_at = ? where name = 'organization:recheck-domains'", Date.now());
      await eventually("the schedule has run", () => runs() > before);
    },
  };
}
