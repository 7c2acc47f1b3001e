import { describe, expect, test } from "bun:test";
import type { Person } from "../../support/auth.ts";
import type { Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { serviceKit } from "../backend/service.fixture.ts";
import { domainKit, freshDomain, nameServerOfFile, recordOf } from "./domain.fixture.ts";
import { of, organizationKit } from "./organization.fixture.ts";

const { names, env } = await nameServerOfFile();
const staged = await stage({ env });
const { people, rows } = staged;
const kit = organizationKit(staged);
const { claim, verify, prove } = domainKit(staged, names);

const codeOf = ({ status, at }: Answer): unknown => [status, at("code")];
const add = ({ client }: Person, id: string, domain: string) => client.post(of(id, "domains"), { domain });
const list = async ({ client }: Person, id: string): Promise<unknown> =>
  (await client.get(of(id, "domains"))).at("domains");
const remove = ({ client }: Person, id: string, domain: string) => client.request("DELETE", of(id, "domains", domain));
const patch = ({ client }: Person, id: string, domain: string, join: unknown) =>
  client.request("PATCH", of(id, "domains", domain), { join });
async function company(name = "ada") {
  const owner = await people.register(name);
  return { owner, id: await kit.create(owner) };
}

describe("a domain", () => {
  test("Z-20 is an organization's once the text that it was given stands among the domain's records", async () => {
    const { owner, id } = await company();
    const domain = freshDomain();
    const made = await add(owner, id, domain.toUpperCase());
    const token = made.textAt("domain.record.value");
    expect(made.at("domain")).toMatchObject({
      domain,
      verified: false,
      join: "none",
      record: { type: "TXT", name: recordOf(domain) },
      lost_at: null,
    });
    expect(token).toMatch(/^[\w-]{43}$/);
    const domainId = made.textAt("domain.id");
    expect(codeOf(await verify(owner, id, { id: domainId }))).toEqual([409, "domain_record_missing"]);
    for (const texts of [[], [["x"], [`${token}x`], [token.slice(1)], [token.toLowerCase()], [`x ${token}`]]]) {
      names.answers.set(recordOf(domain), { texts });
      expect(codeOf(await verify(owner, id, { id: domainId }))).toEqual([409, "domain_record_missing"]);
    }
    names.answers.set(domain, { texts: [[token]] });
    expect(codeOf(await verify(owner, id, { id: domainId }))).toEqual([409, "domain_record_missing"]);
    names.answers.set(recordOf(domain), { texts: [["spf"], [token]] });
    const proven = await verify(owner, id, { id: domainId });
    expect(proven.at("domain")).toMatchObject({ domain, verified: true });
    expect(await list(owner, id)).toEqual([proven.at("domain")]);
    expect((await add(owner, id, domain)).at("domain")).toEqual(proven.at("domain"));
    const told = rows.all("select action, reason from audit_events where organization_id = ? order by at, id", id);
    expect(told.slice(-2)).toEqual([
      { action: "organization.domain-added", reason: domain },
      { action: "organization.domain-verified", reason: domain },
    ]);
  });

  test("Z-21 is refused in words where it is a public suffix, an address, too long, or no domain", async () => {
    const { owner, id } = await company();
    const longest = `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(44)}.test`;
    expect(longest).toHaveLength(232);
    expect((await add(owner, id, longest)).status).toBe(200);
    const refused = {
      "co.uk": "strangers",
      com: "such as example.com",
      test: "such as example.com",
      "github.io": "strangers",
      "192.0.2.1": "address of a machine",
      "2001:db8::1": "address of a machine",
      "[2001:db8::1]": "address of a machine",
      "3221225985": "address of a machine",
      [`e${longest}`]: "232 characters",
      [`${"a".repeat(64)}.test`]: "such as example.com",
      "ada@acme.test": "such as example.com",
      "https://acme.test": "such as example.com",
      "acme.test/x": "such as example.com",
      "*.acme.test": "such as example.com",
      "acme.test.": "such as example.com",
      "acme..test": "such as example.com",
      "ac me.test": "such as example.com",
      "acme\u200b.test": "such as example.com",
      _acme: "such as example.com",
    };
    for (const [domain, words] of Object.entries(refused)) {
      const answer = await add(owner, id, domain);
      expect([domain, answer.status, answer.textAt("fields.domain.message")]).toEqual([
        domain,
        400,
        expect.stringContaining(words),
      ]);
    }
    const said = async (domain: string): Promise<unknown> => (await add(owner, id, domain)).at("domain.domain");
    expect(await said("BÜRO.test")).toBe("xn--bro-hoa.test");
    expect(await said("ａｃｍｅ。test")).toBe("acme.test");
    // Another alphabet's letters are another domain, and show what they are.
    expect(await said("аcme.test")).toBe("xn--cme-5cd.test");
  });

  test("Z-22 that two claim is whose proof is found first, and free again once it is given up", async () => {
    const [one, other] = [await company(), await company("grace")];
    const domain = freshDomain();
    const [first, second] = [await claim(one.owner, one.id, domain), await claim(other.owner, other.id, domain)];
    expect(first.value).not.toBe(second.value);
    names.answers.set(recordOf(domain), { texts: [[first.value], [second.value]] });
    expect((await verify(other.owner, other.id, second)).status).toBe(200);
    expect(codeOf(await verify(one.owner, one.id, first))).toEqual([409, "domain_taken"]);
    const third = await company("edith");
    expect(codeOf(await add(third.owner, third.id, domain))).toEqual([409, "domain_taken"]);
    expect((await remove(other.owner, other.id, second.id)).status).toBe(200);
    expect(codeOf(await verify(other.owner, other.id, second))).toEqual([404, "domain_not_found"]);
    expect((await verify(one.owner, one.id, first)).status).toBe(200);
    expect((await one.owner.client.request("DELETE", of(one.id))).status).toBe(200);
    expect((await add(third.owner, third.id, domain)).status).toBe(200);
  });

  test("Z-22 of two organizations that prove a domain at the same moment one has it", async () => {
    const [one, other] = [await company(), await company("grace")];
    for (let round = 0; round < 5; round += 1) {
      const domain = freshDomain();
      const [first, second] = [await claim(one.owner, one.id, domain), await claim(other.owner, other.id, domain)];
      names.answers.set(recordOf(domain), { texts: [[first.value], [second.value]] });
      const answers = await Promise.all([verify(one.owner, one.id, first), verify(other.owner, other.id, second)]);
      expect(answers.map(codeOf).toSorted()).toEqual([
        [200, undefined],
        [409, "domain_taken"],
      ]);
      expect(rows.count("organization_domains where domain = ? and verified_at is not null", domain)).toBe(1);
    }
  });

  test("Z-26 is a matter of owners and admins, and for strangers not there", async () => {
    const { id, owner, admin, member } = await kit.team();
    const { id: domain } = await prove(admin, id, freshDomain());
    const calls = (person: Person, to: string) => [
      person.client.get(of(to, "domains")),
      add(person, to, freshDomain()),
      verify(person, to, { id: domain }),
      patch(person, to, domain, "auto"),
      remove(person, to, domain),
    ];
    for (const answer of await Promise.all(calls(member, id))) expect(codeOf(answer)).toEqual([403, "forbidden"]);
    const stranger = await people.register("mallory");
    for (const answer of await Promise.all(calls(stranger, id)))
      expect(codeOf(answer)).toEqual([404, "organization_not_found"]);
    // The id of another organization's domain is of no use to its guesser.
    const own = await kit.create(stranger);
    for (const answer of await Promise.all(calls(stranger, own).slice(2)))
      expect(codeOf(answer)).toEqual([404, "domain_not_found"]);
    for (const join of [undefined, "all", "", 1])
      expect(codeOf(await patch(owner, id, domain, join))).toEqual([400, "invalid_payload"]);
    expect((await patch(owner, id, domain, "invite")).at("domain.join")).toBe("invite");
    expect(codeOf(await remove(owner, id, "01980000-0000-7000-8000-000000000000"))).toEqual([404, "domain_not_found"]);
    expect((await remove(admin, id, domain)).status).toBe(200);
    expect(await list(owner, id)).toEqual([]);
  });
});

describe("a look at the records of a domain", () => {
  test("Z-23 follows what the operator's servers say, and takes neither a fault nor more than it can use", async () => {
    const { owner, id } = await company();
    const domain = freshDomain();
    const claimed = await claim(owner, id, domain);
    const answered = async (answer: Parameters<typeof names.answers.set>[1]): Promise<unknown> => {
      names.answers.set(recordOf(domain), answer);
      return codeOf(await verify(owner, id, claimed));
    };
    const failed = [502, "domain_lookup_failed"];
    expect(await answered({ code: "SERVFAIL" })).toEqual(failed);
    expect(await answered({ code: "REFUSED" })).toEqual(failed);
    expect(await answered("nonsense")).toEqual(failed);
    const filler = Array.from({ length: 101 }, () => ["x".repeat(250)]);
    expect(await answered({ texts: [...filler, [claimed.value]] })).toEqual(failed);
    expect(await answered({ code: "NXDOMAIN" })).toEqual([409, "domain_record_missing"]);
    expect(await answered({ texts: [Array.from({ length: 40 }, () => "x".repeat(255))] })).toEqual([
      409,
      "domain_record_missing",
    ]);
    expect(await answered({ cname: "proofs.elsewhere.test", texts: [[claimed.value]] })).toEqual([200, undefined]);
    expect(new Set(names.asked.filter((name) => name.endsWith(domain)))).toEqual(new Set([recordOf(domain)]));
  });

  test("Z-23 gives up after five seconds", async () => {
    const { owner, id } = await company();
    const domain = freshDomain();
    const claimed = await claim(owner, id, domain);
    names.answers.set(recordOf(domain), "silence");
    const began = performance.now();
    expect(codeOf(await verify(owner, id, claimed))).toEqual([502, "domain_lookup_failed"]);
    expect(performance.now() - began).toBeLessThan(7_000);
  });

  test("Z-23 is one of eight at most, of few that wait, and of sixty in an hour", async () => {
    const { owner, id } = await company();
    const domain = freshDomain();
    const claimed = await claim(owner, id, domain);
    names.delay(300);
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, names.waiting())), 5);
    const answers = await Promise.all(Array.from({ length: 70 }, () => verify(owner, id, claimed)));
    clearInterval(watching);
    names.delay(0);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
    const codes = Map.groupBy(answers, ({ at }) => at("code"));
    expect(codes.get("domain_record_missing")).toHaveLength(60);
    expect(codes.get("rate_limited")).toHaveLength(10);
    // Another organization of the same person changes nothing.
    const more = await kit.create(owner);
    const another = await claim(owner, more, freshDomain());
    expect(codeOf(await verify(owner, more, another))).toEqual([429, "rate_limited"]);
  });

  test("an organization claims fifty domains at most", async () => {
    const { owner, id } = await company();
    for (let made = 0; made < 50; made += 1) expect((await add(owner, id, freshDomain())).status).toBe(200);
    expect(codeOf(await add(owner, id, freshDomain()))).toEqual([409, "limit_reached"]);
  });
});

test("Z-26 services with the scopes do the same", async () => {
  const authorization = (scope: string) =>
    serviceKit(staged.target)
      .create(`crm-${scope.replaceAll(/\W/g, "-")}`, scope)
      .then((secret) => ({ headers: { authorization: `Bearer ${secret}` } }));
  const { id } = await company();
  const browser = staged.browser();
  const path = `/api/v1/organizations/${id}/domains`;
  const domain = freshDomain();
  const all = await authorization("organizations:read,organizations:write");
  const made = await browser.post(path, { domain }, all);
  const of = `${path}/${made.textAt("domain.id")}`;
  names.answers.set(recordOf(domain), { texts: [[made.textAt("domain.record.value")]] });
  expect((await browser.post(`${of}/verify`, undefined, all)).at("domain.verified")).toBe(true);
  expect((await browser.request("PATCH", of, { join: "auto" }, all)).at("domain.join")).toBe("auto");
  const reader = await authorization("organizations:read");
  expect((await browser.get(path, reader)).at("domains")).toMatchObject([{ domain, verified: true, join: "auto" }]);
  expect(codeOf(await browser.request("DELETE", of, undefined, reader))).toEqual([403, "forbidden"]);
  expect((await browser.request("DELETE", of, undefined, all)).status).toBe(200);
  expect(codeOf(await browser.get(path, await authorization("users:read")))).toEqual([403, "forbidden"]);
});
