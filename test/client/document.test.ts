import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createClient,
  type Client,
  type FieldCode as ClientFieldCode,
  type ServerCode,
} from "../../src/client/index.ts";
import { createServiceClient, type ServiceClient } from "../../src/client/service.ts";
import type { ErrorCode } from "../../src/core/errors.ts";
import type { FieldCode } from "../../src/core/fields.ts";
import { signingPair } from "../support/signing.pair.ts";
import { startTarget, type Target } from "../support/target.ts";
import { at, isObject, typeOf } from "./schema.types.ts";

const root = join(import.meta.dir, "..", "..");

const noCredential = {
  id: "",
  rawId: "",
  type: "public-key",
  response: { clientDataJSON: "", attestationObject: "", authenticatorData: "", signature: "" },
} as const;

/** Calls of each function of the client. Paths have the names of parameters in place of values. */
const calls: { readonly [Name in Exclude<keyof Client, "onChange" | "fetch">]: (client: Client) => unknown } = {
  login: (client) => client.login({ login: "", password: "" }),
  getLoginChallenge: (client) => client.getLoginChallenge(""),
  verifyLogin: (client) => client.verifyLogin({ challenge: "", method: "totp" }),
  getPasskeyRequestOptions: (client) => client.getPasskeyRequestOptions(),
  loginWithPasskey: (client) => client.loginWithPasskey({ credential: noCredential }),
  requestEmailLogin: (client) => client.requestEmailLogin({ login: "" }),
  confirmEmailLogin: (client) => client.confirmEmailLogin({ token: "" }),
  register: (client) => client.register({ email: "", password: "" }),
  logout: (client) => client.logout(),
  logoutAll: (client) => client.logoutAll(),
  refresh: (client) => client.refresh(),
  getMe: (client) => client.getMe(),
  updateProfile: (client) => client.updateProfile({}),
  listSessions: (client) => client.listSessions(),
  revokeSession: (client) => client.revokeSession("{id}"),
  changePassword: (client) => client.changePassword({ current_password: "", new_password: "" }),
  reauthenticate: (client) => client.reauthenticate({ current_password: "" }),
  getReauthenticationOptions: (client) => client.getReauthenticationOptions(),
  getMfa: (client) => client.getMfa(),
  endTakeBack: (client) => client.endTakeBack(),
  setUpTotp: (client) => client.setUpTotp(),
  confirmTotp: (client) => client.confirmTotp({ code: "" }),
  removeTotp: (client) => client.removeTotp(),
  renewRecoveryCodes: (client) => client.renewRecoveryCodes(),
  getPasskeyCreationOptions: (client) => client.getPasskeyCreationOptions(),
  getPasskeyOffer: (client) => client.getPasskeyOffer(),
  addPasskey: (client) => client.addPasskey({ credential: noCredential }),
  renamePasskey: (client) => client.renamePasskey("{id}", { name: "" }),
  removePasskey: (client) => client.removePasskey("{id}"),
  removePassword: (client) => client.removePassword(),
  requestPasswordReset: (client) => client.requestPasswordReset({ login: "" }),
  inspectPasswordReset: (client) => client.inspectPasswordReset({ token: "" }),
  rejectSignIn: (client) => client.rejectSignIn({ token: "" }),
  confirmPasswordReset: (client) => client.confirmPasswordReset({ token: "", new_password: "" }),
  requestEmailVerification: (client) => client.requestEmailVerification(),
  inspectEmailVerification: (client) => client.inspectEmailVerification({ token: "" }),
  inspectEmailChange: (client) => client.inspectEmailChange({ token: "" }),
  inspectEmailLogin: (client) => client.inspectEmailLogin({ token: "" }),
  confirmEmailVerification: (client) => client.confirmEmailVerification({ token: "" }),
  rejectEmailVerification: (client) => client.rejectEmailVerification({ token: "" }),
  undoEmailChange: (client) => client.undoEmailChange({ token: "" }),
  showInvitation: (client) => client.showInvitation({ token: "" }),
  acceptInvitation: (client) => client.acceptInvitation({ token: "" }),
  registerByProvider: (client) => client.registerByProvider({ state: "", accepted_terms: "" }, "{provider}"),
  startInvitedLogin: (client) => client.startInvitedLogin({ token: "" }, "{provider}"),
  exportAccount: (client) => client.exportAccount(),
  deleteAccount: (client) => client.deleteAccount({}),
  createPersonalToken: (client) => client.createPersonalToken({ name: "" }),
  listPersonalTokens: (client) => client.listPersonalTokens(),
  revokePersonalToken: (client) => client.revokePersonalToken("{id}"),
  listApps: (client) => client.listApps(),
  revokeApp: (client) => client.revokeApp({ client_id: "" }),
  listOrganizations: (client) => client.listOrganizations(),
  createOrganization: (client) => client.createOrganization({ name: "" }),
  getOrganization: (client) => client.getOrganization("{id}"),
  updateOrganization: (client) => client.updateOrganization("{id}", {}),
  deleteOrganization: (client) => client.deleteOrganization("{id}"),
  switchOrganization: (client) => client.switchOrganization({ id: null }),
  leaveOrganization: (client) => client.leaveOrganization("{id}"),
  listMembers: (client) => client.listMembers("{id}"),
  setMemberRoles: (client) => client.setMemberRoles("{id}", "{user}", { roles: [] }),
  removeMember: (client) => client.removeMember("{id}", "{user}"),
  listOrganizationInvitations: (client) => client.listOrganizationInvitations("{id}"),
  inviteMember: (client) => client.inviteMember("{id}", { email: "" }),
  withdrawOrganizationInvitation: (client) => client.withdrawOrganizationInvitation("{id}", "{invitation}"),
  joinOrganization: (client) => client.joinOrganization("{id}"),
  listDomains: (client) => client.listDomains("{id}"),
  addDomain: (client) => client.addDomain("{id}", { domain: "" }),
  verifyDomain: (client) => client.verifyDomain("{id}", "{domain}"),
  updateDomain: (client) => client.updateDomain("{id}", "{domain}", { join: "none" }),
  removeDomain: (client) => client.removeDomain("{id}", "{domain}"),
  getProvider: (client) => client.getProvider("{id}"),
  setProvider: (client) => client.setProvider("{id}", { issuer: "", client_id: "", client_secret: "" }),
  removeProvider: (client) => client.removeProvider("{id}"),
  signMembersOut: (client) => client.signMembersOut("{id}"),
  findLoginProvider: (client) => client.findLoginProvider({ login: "" }),
  listIdentities: (client) => client.listIdentities(),
  unlinkIdentity: (client) => client.unlinkIdentity("{id}"),
  listProviders: (client) => client.listProviders(),
  startProviderLogin: (client) => client.startProviderLogin("{provider}"),
  startProviderLink: (client) => client.startProviderLink("{provider}"),
  verify: (client) => client.verify(),
  introspect: (client) => client.introspect({ token: "" }, ""),
  getPasskeySignal: (client) => client.getPasskeySignal(),
  getJwks: (client) => client.getJwks(),
  getHealth: (client) => client.getHealth(),
  getReadiness: (client) => client.getReadiness(),
  hello: (client) => client.hello(),
};

/** Calls of each function of the client for backends. One function is in both clients. */
const serviceCalls: { readonly [Name in keyof ServiceClient]: (client: ServiceClient) => unknown } = {
  introspect: (client) => client.introspect({ token: "" }),
  listAllOrganizations: (client) => client.listAllOrganizations(),
  createOrganizationFor: (client) => client.createOrganizationFor({ name: "", owner: "" }),
  showOrganization: (client) => client.showOrganization("{id}"),
  changeOrganization: (client) => client.changeOrganization("{id}", {}),
  removeOrganization: (client) => client.removeOrganization("{id}"),
  listOrganizationMembers: (client) => client.listOrganizationMembers("{id}"),
  addMember: (client) => client.addMember("{id}", { user: "" }),
  setOrganizationRoles: (client) => client.setOrganizationRoles("{id}", "{user}", { roles: [] }),
  removeOrganizationMember: (client) => client.removeOrganizationMember("{id}", "{user}"),
  listInvitationsTo: (client) => client.listInvitationsTo("{id}"),
  inviteTo: (client) => client.inviteTo("{id}", { email: "" }),
  withdrawInvitationTo: (client) => client.withdrawInvitationTo("{id}", "{invitation}"),
  listOrganizationDomains: (client) => client.listOrganizationDomains("{id}"),
  addOrganizationDomain: (client) => client.addOrganizationDomain("{id}", { domain: "" }),
  verifyOrganizationDomain: (client) => client.verifyOrganizationDomain("{id}", "{domain}"),
  updateOrganizationDomain: (client) => client.updateOrganizationDomain("{id}", "{domain}", { join: "none" }),
  removeOrganizationDomain: (client) => client.removeOrganizationDomain("{id}", "{domain}"),
  listUsers: (client) => client.listUsers(),
  getUser: (client) => client.getUser("{id}"),
  createUser: (client) => client.createUser({ email: "" }),
  updateUser: (client) => client.updateUser("{id}", {}),
  disableUser: (client) => client.disableUser("{id}"),
  enableUser: (client) => client.enableUser("{id}"),
  unlockUser: (client) => client.unlockUser("{id}"),
  verifyUser: (client) => client.verifyUser("{id}"),
  resetUserFactors: (client) => client.resetUserFactors("{id}"),
  revokeUserSessions: (client) => client.revokeUserSessions("{id}"),
  sendUserPasswordReset: (client) => client.sendUserPasswordReset("{id}"),
  deleteUser: (client) => client.deleteUser("{id}"),
  inviteUser: (client) => client.inviteUser({ email: "" }),
  listInvitations: (client) => client.listInvitations(),
  withdrawInvitation: (client) => client.withdrawInvitation("{id}"),
};
/** Routes without a function: where a provider sends the browser, where a page posts a form, and what a monitoring system or a browser by itself reads. */
const notForApps =
  /\/oauth\/\{provider\}\/callback$|^post \S+\/oauth\/\{provider\}\/start$|^get \/metrics$|^get \/\.well-known\/(?:security\.txt|webauthn)$/;

let target: Target;
let document: unknown;
/** The route of each function, such as `post /api/v1/auth/login`. */
const routes = new Map<string, string>();

beforeAll(async () => {
  const provider = { AUTH_OAUTH_GITHUB_CLIENT_ID: "an id", AUTH_OAUTH_GITHUB_CLIENT_SECRET: "a secret" };
  const signing = { API_JWT_PRIVATE_KEY: signingPair("ES256").privatePem };
  const enabled = { API_DOCS_ENABLED: "true", AUTH_PERSONAL_TOKENS_ENABLED: "true" };
  target = await startTarget({ env: { ...enabled, ...provider, ...signing }, shared: true });
  document = await (await fetch(`${target.url}/openapi/json`)).json();
  const note = (name: string, method: string, url: string): void =>
    void (routes.has(name) || routes.set(name, `${method.toLowerCase()} ${decodeURI(url).replace(/\?.*/, "")}`));
  const noting = (name: string) => ({
    async fetch(url: string, { method = "" }: RequestInit) {
      note(name, method, url);
      return Response.json({ ok: false, error: "", code: "unavailable" }, { status: 503 });
    },
  });
  for (const [name, call] of Object.entries(calls)) {
    const called = await call(createClient(noting(name)));
    if (typeof called === "string") note(name, "get", called);
  }
  for (const [name, call] of Object.entries(serviceCalls))
    await call(createServiceClient({ baseUrl: "", secret: "", ...noting(name) }));
});
afterAll(() => target.stop());

function operationOf(name: string): unknown {
  const [method = "", path = ""] = (routes.get(name) ?? "").split(" ");
  return at(document, "paths", path, method);
}

test("every route for apps has a function that bears its operation id, and every function a route", () => {
  const paths = at(document, "paths");
  const documented = Object.entries(isObject(paths) ? paths : {}).flatMap(([path, methods]) =>
    Object.keys(isObject(methods) ? methods : {}).map((method) => `${method} ${path}`),
  );
  const forApps = documented.filter((route) => !notForApps.test(route));
  expect([...routes.values()].toSorted()).toEqual(forApps.toSorted());
  const ids = [...routes.keys()].map((name) => at(operationOf(name), "operationId"));
  expect(ids).toEqual([...routes.keys()]);
});

/** The client hands on the tag of an answer besides its body. */
const tagOf = (operation: unknown): string =>
  at(operation, "responses", "200", "headers", "ETag") === undefined ? "" : " & { etag: string }";

describe("the types of the client", () => {
  test("know every code that the service answers, and no other", () => {
    // Where the type checker names a code here, src/client/codes.ts lacks it, or has one too many.
    type Difference<A, B> = Exclude<A, B> | Exclude<B, A>;
    type Codes = Difference<ErrorCode, ServerCode>;
    type FieldCodes = Difference<FieldCode, ClientFieldCode>;
    const codes: [Codes] extends [never] ? true : Codes = true;
    const fieldCodes: [FieldCodes] extends [never] ? true : FieldCodes = true;
    expect([codes, fieldCodes]).toEqual([true, true]);
  });

  test("are those of the OpenAPI document: what each function takes and answers", async () => {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-document-"));
    const clientOf = (name: string): string => (name in calls ? "Client" : "ServiceClient");
    const asserted = [...routes.keys()].flatMap((name) => {
      const operation = operationOf(name);
      const json = ["content", "application/json", "schema"];
      const answer = at(operation, "responses", "200", ...json);
      const body = at(operation, "requestBody", ...json);
      // The client asks for tokens by itself and keeps them; the checks of a probe are for operators.
      const nothing = "{  }";
      const kept = name === "listPersonalTokens" ? [] : ["tokens"];
      const unshown = ["delivery", "device_token", "refresh_token", "checks", ...kept];
      const input = body === undefined ? nothing : typeOf(document, body, unshown);
      return [
        ...(answer === undefined
          ? []
          : [
              [
                `${name}Answer`,
                `Answer<${clientOf(name)}, "${name}">`,
                `{ ok: true } & ${typeOf(document, answer, unshown)}${tagOf(operation)}`,
              ],
            ]),
        ...(input === nothing || name === "refresh"
          ? []
          : [[`${name}Body`, `Body<${clientOf(name)}, "${name}">`, input]]),
      ];
    });
    expect(asserted.length).toBeGreaterThan(30);
    const program = `
      import type { Client } from "${join(root, "src/client/index.ts")}";
      import type { ServiceClient } from "${join(root, "src/client/service.ts")}";
      type Plain<T> = T extends (infer Item)[] ? Plain<Item>[] : T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T;
      // The two function types are written out: the compiler compares uses of one generic alias by their arguments, to which a missing optional field is no difference.
      type Same<A, B> = (<Any>() => Any extends Plain<A> ? true : false) extends <Any>() => Any extends Plain<B> ? true : false ? true : false;
      type Answer<Of, Name extends keyof Of> = Of[Name] extends (...input: never[]) => infer R ? Extract<Awaited<R>, { ok: true }> : never;
      // An object comes after the id that a path has.
      type Body<Of, Name extends keyof Of> = Of[Name] extends (...input: infer P) => unknown ? Exclude<P[0] extends string ? (P[1] extends string ? P[2] : P[1]) : P[0], undefined> : never;
      ${asserted.map(([name, type, documented]) => `export const ${name}: Same<${type}, ${documented}> = true;`).join("\n")}
    `;
    await Bun.write(join(folder, "assertions.ts"), program);
    const compilerOptions = { rootDir: "/", noEmit: true, lib: ["esnext", "dom"], types: [] };
    const settings = {
      extends: join(root, "tsconfig.json"),
      compilerOptions,
      include: ["assertions.ts"],
      references: [],
    };
    await Bun.write(join(folder, "tsconfig.json"), JSON.stringify(settings));
    const checked = Bun.spawnSync({ cmd: [process.execPath, "check", "--no-pretty"], cwd: folder, stderr: "pipe" });
    const lines = program.split("\n");
    const wrong = checked.stdout
      .toString()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => `${lines[Number(/\((\d+),/.exec(line)?.[1]) - 1]?.trim()} ${line}`);
    expect(wrong).toEqual([]);
    expect(checked.exitCode).toBe(0);
    await rm(folder, { recursive: true });
  });
});
