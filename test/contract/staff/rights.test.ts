import { describe, expect, test } from "bun:test";
import { definitions } from "../../support/definitions.ts";
import type { Answer } from "../../support/client.ts";
import { mountedRoutes } from "../../support/mounted.routes.ts";
import { stage } from "../../support/stage.ts";
import { createStaff, hiddenFields, textOf, titleOf, type StaffMember } from "../../support/staff.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { isGuarded, rights, roles, routeAt, type Role } from "./rights.fixture.ts";

// The settings add the optional parts of the app, so that their routes are tried as well.
const env = { LIGHTHOUSE_SECRET: "a secret that nobody guesses", ORGANIZATIONS_ENABLED: "true", IDP_ENABLED: "true" };
const { target, rows } = await stage({ app: "admin", roles: ["http"], env });
const audit = readAudit(rows);
const staff = createStaff(target.url, rows);
const guarded = (await mountedRoutes(definitions.admin, target.env)).filter(
  ({ method, path }) => isGuarded(path) && (method === "GET" || method === "POST"),
);

const members: Readonly<Record<Role, StaffMember>> = {
  admin: await staff.add("admin", "admin"),
  support: await staff.add("support", "support"),
  auditor: await staff.add("auditor", "auditor"),
};

const refusalTitle = "Your role does not allow this";
const isRefused = (answer: Answer): boolean => answer.status === 403 && titleOf(answer) === refusalTitle;

/** Sends a form as a page of the reader would send it, whether one shows it or not. */
async function post({ visitor }: StaffMember, path: string, fields: Readonly<Record<string, string>> = {}) {
  const { csrf = "" } = hiddenFields((await visitor.get("/")).text, "/logout");
  return visitor.send(path, { csrf, ...fields });
}

const ask = (member: StaffMember, method: string, path: string): Promise<Answer> =>
  method === "GET" ? member.visitor.get(path) : post(member, path, { username: "ada", switch: "on", add: "admin" });

/** Returns everything that is stored but what the audit log says of refusals and what sessions say of their use. */
const stored = () => [
  [...rows.tables().keys()]
    .filter((name) => !["audit_events", "audit_hours", "auth_sessions"].includes(name))
    .map((name) => [name, rows.all(`select * from "${name}"`)]),
  rows.all("select * from audit_events where action <> 'staff.refused'"),
  rows.all("select id, revoked_at, proved_at from auth_sessions"),
];

describe("S-50 what each role may do is written down for every route of the running app", () => {
  test("each route that is not open to all has a line here, and each line a route", () => {
    expect(guarded.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([...rights.keys()].toSorted());
  });

  test.each([["support"], ["auditor"]] as const)(
    "%s gets 403 by every route that is not theirs, and changes nothing",
    async (role) => {
      const member = members[role];
      const ada = await staff.register("ada");
      const before = stored();
      const wrong: unknown[] = [];
      for (const { method, path } of guarded) {
        if (rights.get(`${method} ${path}`)?.has(role) === true) continue;
        const answer = await ask(member, method, path.replaceAll(/:[^/]+/g, ada.id));
        if (!isRefused(answer) || answer.text.includes(ada.email)) wrong.push({ method, path, status: answer.status });
      }
      expect(wrong).toEqual([]);
      expect(stored()).toEqual(before);
    },
  );

  test.each(roles.map((role) => [role] as const))("%s is let through by every route that is theirs", async (role) => {
    const member = await staff.add(role, role);
    const nobody = Bun.randomUUIDv7();
    const wrong: unknown[] = [];
    for (const { method, path } of guarded) {
      if (rights.get(`${method} ${path}`)?.has(role) !== true) continue;
      const answer = await ask(member, method, path.replaceAll(/:[^/]+/g, nobody));
      if (answer.status === 403 || answer.status >= 500) wrong.push({ method, path, status: answer.status });
    }
    expect(wrong).toEqual([]);
  });

  test("a role of another name opens nothing, and the page says which do", async () => {
    const { visitor } = await staff.add("ada", "supporter");
    const answer = await visitor.get("/");
    expect(answer.status).toBe(403);
    expect(textOf(answer)).toContain('"admin", "support" or "auditor"');
  });
});

/** Returns the routes that the links and forms of a page lead to. */
function offeredBy({ text }: Answer): string[] {
  const links = [...text.matchAll(/<a [^>]*href="([^"#?]+)/g)].map(([, path = ""]) => routeAt("GET", path));
  const forms = [...text.matchAll(/<form[^>]*method="post" action="([^"?]+)"/g)].map(([, path = ""]) =>
    routeAt("POST", path),
  );
  return [...links, ...forms].filter((route) => route !== undefined);
}

test.each(roles.map((role) => [role] as const))(
  "S-51 the pages offer %s no button and no link that they may not press",
  async (role) => {
    const admin = members.admin;
    const ada = await staff.register("ada");
    await post(admin, "/people/invitations", {
      email: `${role}.invited@example.test`,
      roles: "editor",
      locale: "en",
      days: "7",
    });
    const made = await post(admin, "/organizations/new", {
      name: `Acme ${role}`,
      slug: `acme-${role}`,
      owner: ada.email,
    });
    const organization = made.headers.get("location") ?? "";
    expect(organization).toStartWith("/organizations/");
    const pages = [
      "/",
      "/people",
      `/people/${ada.id}`,
      `/people/${admin.id}`,
      "/people/invitations",
      "/organizations",
      organization,
    ];
    const more = [
      "/audit",
      "/jobs",
      "/apps",
      "/mail-previews",
      "/mail-previews/reset_link",
      "/webhooks",
      "/schedules",
      "/maintenance",
      "/two-step",
    ];
    const offered = new Set<string>();
    for (const path of [...pages, ...more]) {
      const answer = await members[role].visitor.get(path);
      if (isRefused(answer)) continue;
      expect(answer.status).toBe(200);
      for (const route of offeredBy(answer)) offered.add(route);
    }
    const mayPress = (route: string): boolean => rights.get(route)?.has(role) === true;
    expect([...offered].filter((route) => !mayPress(route))).toEqual([]);
    expect(offered).toContain("GET /people/:id");
    expect(offered.has("POST /people/:id/end-sessions")).toBe(role !== "auditor");
    expect(offered.has("POST /people/:id/roles")).toBe(role === "admin");
  },
);

describe("S-52 support does nothing to an account of staff", () => {
  const acts = ["unlock", "send-reset", "end-sessions", "reset-factors"];

  test("be it an admin's, a colleague's, an auditor's, their own, or one that is disabled, and its page shows no act", async () => {
    const support = await staff.add("support", "support");
    const others = await Promise.all(
      ["admin", "support", "auditor", "editor support"].map((role) => staff.add("grace", role)),
    );
    const disabled = await staff.add("hedy");
    rows.run("update users set active = 0 where id = ?", disabled.id);
    const before = stored();
    for (const { id } of [...others, disabled, support])
      for (const act of acts)
        expect([act, isRefused(await post(support, `/people/${id}/${act}`))]).toEqual([act, true]);
    expect(stored()).toEqual(before);
    const page = await support.visitor.get(`/people/${others[0]?.id}`);
    expect(textOf(page)).toContain("does nothing to an account of staff");
    expect(page.text).not.toContain(`action="/people/${others[0]?.id}/`);
  });

  test("and does these acts to everybody else", async () => {
    const support = await staff.add("support", "support");
    const ada = await staff.add("ada", "editor");
    for (const act of acts) expect([act, (await post(support, `/people/${ada.id}/${act}`)).status]).toEqual([act, 303]);
    expect(rows.count("auth_sessions where user_id = ? and revoked_at is null", ada.id)).toBe(0);
  });
});

test("S-53 what the role of somebody of the staff did not let them do is in the audit log, with who tried what on whom", async () => {
  const [support, ada, grace] = [
    await staff.add("support", "support"),
    await staff.register("ada"),
    await staff.add("grace"),
  ];
  const by = { actor: "staff", actor_user_id: support.id, outcome: "failure", address: "127.0.0.1", app: "admin" };
  for (let times = 0; times < 20; times += 1) await post(support, `/people/${ada.id}/disable`);
  expect(await audit.about(ada.id, 1, "staff.refused")).toMatchObject([{ ...by, reason: "people.disable" }]);
  await post(support, `/people/${grace.id}/send-reset`);
  expect(await audit.about(grace.id, 1, "staff.refused")).toMatchObject([{ ...by, reason: "people.send-reset" }]);
  // A page of another site can't write such a row in a reader's name.
  await support.visitor.send(`/people/${ada.id}/delete`, {});
  expect(audit.all("subject_user_id = ? and action = 'staff.refused' and reason = 'people.delete'", ada.id)).toEqual(
    [],
  );
});

describe("S-54 an invitation that support sends again", () => {
  const invite = async (email: string, given: string): Promise<string> => {
    await post(members.admin, "/people/invitations", { email, roles: given, locale: "en", days: "7" });
    return String(rows.get("select id from auth_invitations where email_key = ?", email)["id"]);
  };

  test("stays that of who made it", async () => {
    const id = await invite("edna@example.test", "editor");
    expect((await post(members.support, `/people/invitations/${id}/resend`)).status).toBe(303);
    expect(rows.get("select inviter_user_id from auth_invitations where id = ?", id)["inviter_user_id"]).toBe(
      members.admin.id,
    );
    expect(rows.count("jobs where name = 'auth:send-invitation'")).toBeGreaterThan(1);
  });

  test("is none that makes somebody one of the staff", async () => {
    const id = await invite("ida@example.test", "auditor");
    const before = stored();
    expect(isRefused(await post(members.support, `/people/invitations/${id}/resend`))).toBe(true);
    expect(stored()).toEqual(before);
  });
});
