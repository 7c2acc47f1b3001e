import { describe, expect, test } from "bun:test";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { serviceKit } from "../backend/service.fixture.ts";
import { idpEnvironment, idpKit } from "./idp.fixture.ts";

const { target, people } = await stage({ env: idpEnvironment });
const kit = idpKit(target);
const desk = await kit.register("Desk", "--role", "editor");
const crm = await serviceKit(target).create("crm");

const verify = async (token: string): Promise<number> =>
  (await createClient(target.url).get("/api/v1/auth/verify", { headers: { authorization: `Bearer ${token}` } })).status;

/** Says at each place that takes a token whether it is good there. */
async function isGood(access: string, refresh: string) {
  const introspected = (await serviceKit(target).introspect(crm, access)).at("active");
  return {
    userinfo: (await kit.userinfo(access)).status === 200,
    verify: (await verify(access)) === 204,
    service: introspected === true,
    program: await kit.isActive(desk, access),
    refresh: await kit.isActive(desk, refresh),
  };
}
const everywhere = (good: boolean) => ({
  userinfo: good,
  verify: good,
  service: good,
  program: good,
  refresh: good,
});

describe("who loses the role of a program", () => {
  const losses: Readonly<Record<string, (username: string) => Promise<unknown>>> = {
    "since an operator takes it": (username) => kit.run("user:roles", username, "--remove", "editor"),
    "since the program asks for another one": () => kit.run("client:update", "Desk", "--role", "owner"),
  };
  test.each(Object.keys(losses))(
    "O-111 %s is refused with the next request, wherever a token is shown",
    async (how) => {
      const ada = await people.register("ada");
      await kit.run("user:roles", ada.username, "--add", "editor");
      const tokens = await kit.signIn(ada.client, desk);
      const [access, refresh] = [tokens.textAt("access_token"), tokens.textAt("refresh_token")];
      expect(await isGood(access, refresh)).toEqual(everywhere(true));
      await losses[how]?.(ada.username);
      expect(await isGood(access, refresh)).toEqual(everywhere(false));
      expect((await kit.refresh(desk, refresh)).at("error")).toBe("invalid_grant");
    },
  );
});
