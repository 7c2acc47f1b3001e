import { describe, expect, test } from "bun:test";
import { auth, nextMail, type Person } from "../../support/auth.ts";
import { eventually } from "../../support/log.ts";
import { recordOf } from "./domain.fixture.ts";
import { of } from "./organization.fixture.ts";
import { stageCompanies, type Company } from "./provider.fixture.ts";

/** The folder for the mails, which somebody may look at. Without it none are written. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
const world = await stageCompanies();
const { company, domains, kit, mailbox, names, people, rows, run, setProvider } = world;

/** Has a second owner, who reads German, and an admin, who is told nothing. */
async function board({ owner, id }: Company): Promise<{ readonly second: Person; readonly admin: Person }> {
  const [second, admin] = [await people.register("grace"), await people.register("edith")];
  await second.client.post(auth("profile"), { locale: "de" });
  await kit.join(owner, id, second, ["owner"]);
  await kit.join(owner, id, admin, ["admin"]);
  rows.prove(second);
  rows.prove(owner);
  return { second, admin };
}
const mailsOf = ({ id }: Person): readonly unknown[] =>
  rows.all("select kind from mails where user_id = ? and kind like 'organization_%'", id).map(({ kind }) => kind);

async function keep(name: string, html: string): Promise<void> {
  if (pictures !== undefined) await Bun.write(`${pictures}/mail-${name}.html`, html);
}

describe("Z-92 the owners of an organization are told by mail", () => {
  test("of a provider that is set, changed and removed, each in their language, with the way to the organization", async () => {
    const acme = await company();
    const { owner, id } = acme;
    const name = (await owner.client.get(of(id))).textAt("organization.name");
    const { second, admin } = await board(acme);
    await setProvider(owner, id, { enforced: true });
    const changed = await nextMail(mailbox, owner.email, `The sign-in of ${name} was changed`);
    expect(changed.text).toContain(`/account/organization?id=${id}`);
    expect(changed.text).toContain("127.0.0.1");
    expect(changed.text).toContain(`because you are an owner of ${name}`);
    await keep("provider-changed", changed.html);
    const german = await nextMail(mailbox, second.email, `Die Anmeldung von ${name} bei Gatehouse wurde geändert`);
    expect(german.text).toContain("Wer ihn betreibt, kann sich im Namen jedes Mitglieds anmelden.");
    await keep("provider-changed-de", german.html);
    await owner.client.request("DELETE", of(id, "provider"));
    await nextMail(mailbox, second.email, `Die eigene Anmeldung von ${name} bei Gatehouse wurde entfernt`);
    await nextMail(mailbox, owner.email, `The sign-in of ${name} was removed`);
    await setProvider(owner, id);
    await nextMail(mailbox, owner.email, `${name} has a sign-in of its own now`);
    await nextMail(mailbox, second.email, `Eigene Anmeldung von ${name} bei Gatehouse eingerichtet`);
    expect(mailsOf(admin)).toEqual([]);
  });

  test("of a domain that is lost or taken away, and not of a claim that nobody has proven", async () => {
    const acme = await company();
    const { owner, id, domain, domainId } = acme;
    const name = (await owner.client.get(of(id))).textAt("organization.name");
    const { second } = await board(acme);
    const typed = await domains.claim(owner, id, "your-prize-waits.example");
    await owner.client.request("DELETE", of(id, "domains", typed.id));
    names.answers.delete(recordOf(domain));
    await domains.recheck();
    expect(mailsOf(owner).filter((kind) => String(kind).includes("domain"))).toEqual([]);
    await domains.recheck();
    const lost = await nextMail(mailbox, owner.email, `${name} has lost the domain ${domain}`);
    expect(lost.text).not.toContain("IP address");
    await keep("domain-lost", lost.html);
    await nextMail(mailbox, second.email, `Die Domain ${domain} von ${name} ist bei Gatehouse nicht mehr nachgewiesen`);
    rows.run("update organization_domains set verified_at = 1 where id = ?", domainId);
    expect((await run("org:remove-domain", id, domain)).code).toBe(0);
    const taken = await nextMail(mailbox, owner.email, `${domain} is no longer a domain of ${name}`);
    expect(taken.text).toContain("The domain can be proven again.");
    await nextMail(mailbox, second.email, `${domain} ist bei Gatehouse keine Domain von ${name} mehr`);
  });

  test("in words of no stranger: a name that could be taken for a link is none, and a mailbox gets five of a kind in an hour", async () => {
    const acme = await company();
    const { owner, id } = acme;
    const { second } = await board(acme);
    await owner.client.request("PATCH", of(id), { name: "Win at prize.example" });
    for (let times = 0; times < 7; times += 1) await setProvider(owner, id);
    const { text } = await nextMail(mailbox, second.email, "Die Anmeldung von einem Team bei Gatehouse wurde geändert");
    expect(text).not.toContain("prize.example");
    const states = () =>
      rows.all("select state from mails where user_id = ? and kind = 'organization_provider_changed'", second.id);
    await eventually("the rest is held back", () => states().some(({ state }) => state === "withheld"));
    expect(states().filter(({ state }) => state !== "withheld").length).toBeLessThanOrEqual(5);
  });
});
