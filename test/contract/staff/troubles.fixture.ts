import { expect } from "bun:test";
import { auth, type Person } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { challenged, setUpTotp } from "../../support/factors.ts";
import { eventually } from "../../support/log.ts";
import { createPageVisitor, hiddenFields, type StaffMember } from "../../support/staff.ts";
import { startTarget } from "../../support/target.ts";
import { codeOf, wrongCodeOf } from "../../support/totp.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { stageCompanies } from "../organization/provider.fixture.ts";

const browserName = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** How each account comes to its trouble: by requests of real clients and answers of a real relay, and by no row written beside the service. */
export async function stageTroubles() {
  const refuses = (address: string): boolean => address.startsWith("nobody");
  const world = await stageCompanies(
    { API_TRUSTED_PROXIES: "127.0.0.1/32", AUTH_IP_LOGIN_FAILURES: "20", AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "20" },
    {
      smtp: {
        onRcptTo: ({ address }, _session, done) =>
          done(refuses(address) ? Object.assign(new Error("5.1.1 no such mailbox"), { responseCode: 550 }) : undefined),
      },
    },
  );
  const { people, rows, target } = world;
  const { stop, ...admin } = await startTarget({
    app: "admin",
    shared: true,
    migrate: false,
    env: { ...target.env, APP_URL: "http://desk.example.test", ADMIN_APP_URL: "http://desk.example.test" },
  });
  const audit = readAudit(rows);
  let count = 0;

  /** Sends requests from an address of their own, so that nobody's tries count for somebody else. */
  const from = (address: string) => ({ headers: { "x-forwarded-for": address, "user-agent": browserName } });
  const ownAddress = (): string => `198.51.100.${(count += 1)}`;

  const signIn = (login: string, password: string, address: string): Promise<Answer> =>
    createClient(target.url).post(auth("login"), { login, password }, from(address));

  async function mistype({ id, email }: Person, times: number, address = ownAddress()): Promise<void> {
    for (let tried = 0; tried < times; tried += 1) await signIn(email, "a wrong guess", address);
    // Failures are written to the audit log behind the answers.
    await audit.about(id, times, "auth.login-failed");
  }

  async function typeCodes(person: Person, codes: (secret: string) => readonly string[]): Promise<readonly string[]> {
    const { secret } = await setUpTotp(person);
    const attempt = await challenged(target.url, person);
    const typed = codes(secret);
    for (const code of typed) expect((await attempt.verify("totp", code)).status).toBe(401);
    await audit.about(person.id, typed.length, "auth.login-failed");
    return typed;
  }

  return {
    ...world,
    admin,
    stop,
    audit,
    typeCodes,

    causes: {
      async locked(): Promise<Person> {
        const ada = await people.register("ada");
        await mistype(ada, 5);
        return ada;
      },

      async disabledBy({ visitor }: Pick<StaffMember, "visitor">): Promise<Person> {
        const ada = await people.register("ada");
        const { csrf = "" } = hiddenFields((await visitor.get("/")).text, "/logout");
        expect((await visitor.send(`/people/${ada.id}/disable`, { csrf })).status).toBe(303);
        expect((await signIn(ada.email, ada.password, ownAddress())).status).toBe(401);
        return ada;
      },

      async wrongPasswords(): Promise<Person> {
        const ada = await people.register("ada");
        await mistype(ada, 2);
        return ada;
      },

      /** Types the codes that an app shows whose phone is seven minutes ahead. */
      async clockOff(): Promise<Person> {
        const ada = await people.register("ada");
        await typeCodes(ada, (secret) => [codeOf(secret, 14), codeOf(secret, 14)]);
        return ada;
      },

      async wrongCodes(): Promise<Person> {
        const ada = await people.register("ada");
        await typeCodes(ada, (secret) => [wrongCodeOf(secret)]);
        return ada;
      },

      /** Signs in four times with a browser that keeps no cookies. */
      async losesCookies(): Promise<Person> {
        const ada = await people.register("ada");
        const address = ownAddress();
        for (let times = 0; times < 4; times += 1) {
          expect((await signIn(ada.email, ada.password, address)).status).toBe(200);
          const next = createClient(target.url);
          expect((await next.get(auth("me"), from(address))).status).toBe(401);
        }
        return ada;
      },

      async lostPhone(): Promise<Person> {
        const ada = await people.register("ada");
        await setUpTotp(ada);
        for (let times = 0; times < 2; times += 1) await challenged(target.url, ada);
        return ada;
      },

      /** Registers with an address whose mailbox does not exist: the relay refuses the mail that should prove it. */
      async refusedMailbox(): Promise<Person> {
        const ada = await people.register("ada", { email: `nobody${(count += 1)}@example.test` });
        await eventually(
          "the relay has refused the mail",
          () => rows.count("mails where user_id = ? and reason = 'mailbox_refused'", ada.id) > 0,
        );
        return ada;
      },

      async demandedProvider(): Promise<Person> {
        const acme = await world.company({ enforced: true });
        const ada = await world.employee(acme, "ada");
        expect((await signIn(ada.email, ada.password, ownAddress())).at("code")).toBe("provider_required");
        return ada;
      },

      /** Signs in from an office whose address somebody else has used up. */
      async usedUpAddress(): Promise<Person> {
        const ada = await people.register("ada");
        const office = "203.0.113.7";
        for (let tried = 0; tried < 20; tried += 1) await signIn(`nobody-here-${tried}`, "a wrong guess", office);
        expect((await signIn(ada.email, ada.password, office)).status).toBe(429);
        await audit.about(ada.id, 1, "auth.attempt-refused");
        return ada;
      },
    },

    /** Makes somebody of the staff, and signs them in on the pages. */
    async staff(name: string, role: string): Promise<StaffMember> {
      const { id, email, password } = await people.register(name);
      rows.run("update users set roles = ? where id = ?", role, id);
      const visitor = createPageVisitor(admin.url);
      expect((await visitor.submit("/login", { login: email, password })).status).toBe(303);
      return { id, email, password, visitor };
    },
  };
}
