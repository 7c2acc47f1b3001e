import { expect, test } from "bun:test";
import type { Person } from "../../support/auth.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { searchSeconds } from "../../property/search.ts";
import { seededChoice } from "../../property/turns.ts";
import { of, organizationKit, organizations, organizationsOn } from "./organization.fixture.ts";

const staged = await stage({ env: { ...organizationsOn, API_DOCS_ENABLED: "true" } });
const { target, people, rows } = staged;
const kit = organizationKit(staged);
const nobody = "01980000-0000-7000-8000-000000000000";
const usualSeconds = 3;

interface Route {
  readonly method: string;
  readonly path: string;
}

/** Returns every route of organizations for people, as the API reference has them. */
async function routes(): Promise<readonly Route[]> {
  const document = await createClient(target.url).get("/openapi/json");
  const paths: unknown = document.at("paths");
  return Object.entries(typeof paths === "object" && paths !== null ? paths : {}).flatMap(([path, methods]) =>
    path.startsWith(organizations)
      ? Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path }))
      : [],
  );
}

/** What is stored of an organization, and of whom it concerns. */
const stored = (id: string): unknown => ({
  organization: rows.all("select * from organizations where id = ?", id),
  members: rows.all("select * from organization_members where organization_id = ? order by user_id", id),
  invitations: rows.all("select * from auth_invitations where organization_id = ? order by id", id),
  acting: rows.all("select id, organization_id from auth_sessions where organization_id = ? order by id", id),
});

test("Z-10 random acts of members of one organization, and of strangers, with ids of another one read, write and tell nothing of it", async () => {
  const all = await routes();
  expect(all.length).toBeGreaterThan(12);
  const own = await kit.team("Ours");
  const other = await kit.team("Zwergnase Theirs");
  await other.owner.client.post(`${organizations}/switch`, { id: other.id });
  const invited = await other.owner.client.post(of(other.id, "invitations"), { email: "secret-guest@example.test" });
  const invitation = invited.textAt("invitation.id");
  const theirs = [other.owner, other.admin, other.member];
  const told = ["Zwergnase", "secret-guest", other.id, invitation, ...theirs.flatMap(({ id, email }) => [id, email])];
  const stranger = await people.register("mallory");
  const actors: readonly Client[] = [
    ...[own.owner, own.admin, own.member, stranger].map(({ client }: Person) => client),
    createClient(target.url),
  ];
  const bodies = [
    {},
    { roles: ["owner"] },
    { roles: ["member"], email: "secret-guest@example.test" },
    { name: "Taken over", metadata: { taken: true } },
    { slug: "taken-over", name: "Taken over" },
    { id: other.id },
    { domain: "example.com", join: "auto" },
    { issuer: "https://evil.example.test", client_id: "x", client_secret: "y", enforced: true },
  ];
  const before = stored(other.id);
  const ownBefore = stored(own.id);
  const until = performance.now() + searchSeconds(usualSeconds) * 1_000;
  let acts = 0;

  async function act(pick: (of: number) => number): Promise<void> {
    const route = all[pick(all.length)] ?? { method: "GET", path: organizations };
    const client = actors[pick(actors.length)] ?? createClient(target.url);
    const user = theirs[pick(theirs.length)]?.id ?? "";
    const body = bodies[pick(bodies.length)] ?? {};
    const isInside = route.path.includes("{id}");
    // Their organization, or ours with somebody or something of theirs in it.
    const isOurs = /\{(?:user|invitation|domain)\}/.test(route.path) && pick(2) === 0;
    const id = isOurs ? own.id : other.id;
    const at = (organization: string) =>
      route.path
        .replace("{id}", organization)
        .replace("{user}", user)
        .replace("{invitation}", invitation)
        .replace("{domain}", invitation);
    const send = (path: string, sent: object): Promise<Answer> =>
      client.request(route.method, path, route.method === "GET" || route.method === "DELETE" ? undefined : sent);
    const isSwitch = route.path.endsWith("/switch");
    // What names nothing of theirs is no attack on them.
    if (!isInside && !isSwitch && route.method === "POST") return;
    const answer = await send(at(id), isSwitch ? { id: other.id } : body);
    acts += 1;
    const where = `${route.method} ${at(id)} ${JSON.stringify(body)}`;
    const leaks = told.filter((text) => answer.text.includes(text));
    expect({ where, leaks }).toEqual({ where, leaks: [] });
    if (!isInside && !isSwitch) return;
    expect({ where, status: answer.status }).not.toEqual({ where, status: 200 });
    if (isOurs) return;
    const unreal = await send(at(nobody), isSwitch ? { id: nobody } : body);
    const seen = ({ status, text }: Answer) => [status, text.replaceAll(/"request_id":"[^"]*"/g, "")];
    expect({ where, seen: seen(answer) }).toEqual({ where, seen: seen(unreal) });
  }

  for (let seed = 1; performance.now() < until; seed += 8) {
    await Promise.all(Array.from({ length: 8 }, (_, index) => act(seededChoice(seed + index))));
    if (seed % 400 === 1) expect(stored(other.id)).toEqual(before);
  }
  expect(stored(other.id)).toEqual(before);
  expect(stored(own.id)).toEqual(ownBefore);
  process.stdout.write(`${acts} acts\n`);
  expect(acts).toBeGreaterThan(200);
}, 3_600_000);
