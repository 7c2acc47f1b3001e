import { decodeJwt } from "jose";
import { expect, test } from "bun:test";
import { stage } from "../../support/stage.ts";
import { idpEnvironment, idpKit } from "../idp/idp.fixture.ts";
import { of, organizationKit, organizations, organizationsOn } from "./organization.fixture.ts";

const staged = await stage({ env: { ...idpEnvironment, ...organizationsOn } });
const programs = idpKit(staged.target);
const kit = organizationKit(staged);

test("Z-16 a program with the scope knows the organizations of its person as they are with the request, and no other program does", async () => {
  const [shop, plain] = [
    await programs.register("Shop", "--scope=openid,organizations"),
    await programs.register("Plain", "--scope=openid,profile"),
  ];
  const { id, owner, member } = await kit.team("Acme & Sons, Ltd");
  await member.client.post(`${organizations}/switch`, { id });
  const tokens = await programs.signIn(member.client, shop, { scope: "openid organizations" });
  const slug = (await member.client.get(of(id))).textAt("organization.slug");
  const active = { org_id: id, org_slug: slug, org_roles: ["member"] };
  const idToken = decodeJwt(tokens.textAt("id_token"));
  expect(idToken).toMatchObject(active);
  expect(idToken).not.toHaveProperty("organizations");
  const info = () => programs.userinfo(tokens.textAt("access_token"));
  expect((await info()).json).toMatchObject({
    ...active,
    organizations: [{ id, slug, name: "Acme & Sons, Ltd", roles: ["member"] }],
  });
  await owner.client.post(of(id, "members", member.id, "roles"), { roles: ["admin", "billing"] });
  expect((await info()).json).toMatchObject({ org_roles: ["admin", "billing"] });
  const other = await programs.signIn(member.client, plain, { scope: "openid profile" });
  expect(Object.keys(decodeJwt(other.textAt("id_token"))).filter((name) => name.startsWith("org"))).toEqual([]);
  await owner.client.post(of(id, "members", member.id, "remove"));
  const left: unknown = (await info()).json;
  expect(left).toMatchObject({ organizations: [] });
  expect(left).not.toHaveProperty("org_id");
});
