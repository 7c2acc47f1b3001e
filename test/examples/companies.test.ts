import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { serviceKit } from "../contract/backend/service.fixture.ts";
import { of, organizations } from "../contract/organization/organization.fixture.ts";
import { ended, stageCompanies, type Company } from "../contract/organization/provider.fixture.ts";
import { auth, secretsOf, type Person } from "../support/auth.ts";
import { createClient, type Client } from "../support/client.ts";
import { publicUrl } from "../support/oauth/provider.ts";

// A small product for companies: boards, of which each company sees its own, and which editors alone write. The product keeps no accounts, no
// members and no roles: it asks who is calling with every request. It speaks to the service by nothing but HTTP.
const world = await stageCompanies();
const { account, browser, domains, kit, people, signInWith, target } = world;

const boards = new Map<string, string[]>();
const product = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const right = request.method === "POST" ? "?org_role=editor" : "";
    const verified = await fetch(`${target.url}${auth("verify")}${right}`, {
      headers: { cookie: request.headers.get("cookie") ?? "" },
    });
    const company = verified.headers.get("x-auth-org-id") ?? "";
    if (!verified.ok) return new Response(null, { status: verified.status });
    if (company === "") return new Response("choose a company", { status: 409 });
    const own = boards.get(company) ?? [];
    if (request.method === "POST") boards.set(company, [...own, await request.text()]);
    return Response.json(boards.get(company) ?? []);
  },
});
afterAll(() => product.stop(true));

/** Calls the product as the browser of somebody does. Resolves to the boards, or to the status of a refusal. */
async function ask({ client }: { readonly client: Client }, board?: string): Promise<unknown> {
  const { access, refresh } = secretsOf(client);
  const answer = await fetch(product.url, {
    ...(board !== undefined && { method: "POST", body: board }),
    headers: { cookie: `auth_access=${access}; auth_refresh=${refresh}` },
  });
  return answer.ok ? answer.json() : answer.status;
}
const switchTo = ({ client }: Person, id: string | null) => client.post(`${organizations}/switch`, { id });
const code = ({ status, at }: { status: number; at(path: string): unknown }): unknown => [status, at("code")];

describe("a product for companies", () => {
  let ada: Person;
  let bob: Person;
  let acme: Company;
  /** Bob, as the company's provider knows him. */
  let atWork: string;
  beforeAll(async () => {
    acme = await world.company();
    ada = acme.owner;
    bob = await domains.person("bob", acme.domain);
  });

  test("has somebody sign up, make a company and choose it, and shows the boards of no other", async () => {
    const [stranger, other] = [await people.register("grace"), await people.register("edith")];
    expect(await ask(stranger)).toBe(409);
    const globex = await kit.create(other, "Globex");
    expect((await switchTo(other, globex)).status).toBe(200);
    expect((await switchTo(ada, acme.id)).status).toBe(200);
    boards.set(globex, ["what Globex plans"]);
    expect(await ask(ada)).toEqual([]);
    expect(await ask(other)).toEqual(["what Globex plans"]);
    expect(code(await switchTo(stranger, globex))).toEqual([404, "organization_not_found"]);
  });

  test("lets an invited colleague read, and write once they are an editor, with the next request", async () => {
    await kit.join(ada, acme.id, bob);
    await switchTo(bob, acme.id);
    expect(await ask(bob)).toEqual([]);
    expect(await ask(bob, "plans")).toBe(403);
    const roles = of(acme.id, "members", bob.id, "roles");
    expect((await ada.client.post(roles, { roles: ["editor"] })).status).toBe(200);
    expect(await ask(bob, "plans")).toEqual(["plans"]);
    expect(await ask(ada)).toEqual(["plans"]);
  });

  test("has people of a company that demands it sign in by its own provider alone", async () => {
    expect((await world.setProvider(ada, acme.id, { enforced: true })).status).toBe(200);
    const refused = await browser().post(auth("login"), { login: bob.email, password: bob.password });
    expect([...[code(refused)].flat(), refused.at("redirect")]).toEqual([
      403,
      "provider_required",
      `${publicUrl}${acme.start}`,
    ]);
    atWork = account(bob.email);
    const { client, answer } = await signInWith(acme, atWork);
    expect(ended(answer)).toBe("/");
    await client.post(`${organizations}/switch`, { id: acme.id });
    expect(await ask({ client }, "more plans")).toEqual(["plans", "more plans"]);
    // A newcomer whom the provider knows needs no invitation.
    const carol = await signInWith(acme, account(`carol@${acme.domain}`));
    expect(ended(carol.answer)).toBe("/");
    await carol.client.post(`${organizations}/switch`, { id: acme.id });
    expect(await ask(carol)).toEqual(["plans", "more plans"]);
    expect(await ask(carol, "by carol")).toBe(403);
  });

  test("knows somebody no more, with the next request, once a program of the company has taken them out", async () => {
    const directory = await serviceKit(target).create("directory", "organizations:read,organizations:write");
    expect(await ask(bob)).toEqual(["plans", "more plans"]);
    const removed = await createClient(target.url).post(
      `/api/v1/organizations/${acme.id}/members/${bob.id}/remove`,
      {},
      { headers: { authorization: `Bearer ${directory}` } },
    );
    expect(removed.status).toBe(200);
    expect(await ask(bob)).toBe(409);
    expect(await ask(bob, "a last board")).toBe(403);
    expect(code(await switchTo(bob, acme.id))).toEqual([404, "organization_not_found"]);
    // The company's provider still knows them, and its word opens nothing any more.
    expect(ended((await signInWith(acme, atWork)).answer)).toEqual([403, "membership_required"]);
    expect((await browser().post(auth("login"), { login: bob.email, password: bob.password })).status).toBe(200);
  });
});
