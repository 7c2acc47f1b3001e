import type { Resources } from "./resources/index.ts";
import { createAudit } from "../audit/index.ts";
import { createAuth, type PasswordCost } from "../auth/index.ts";
import type { Config } from "../config/index.ts";
import { shorteningBits } from "../core/address/address.ts";
import type { Clock } from "../core/clock.ts";
import type { AgeClock } from "../core/clock.trust.ts";
import { createFigures } from "../figures/index.ts";
import type { RequestFacts, RequestWatch } from "../http/index.ts";
import type { MailLook } from "../http/pages/brand/mail.look.ts";
import type { createIdp, ProviderEvent } from "../idp/index.ts";
import type { Inspects } from "../inspect/index.ts";
import type { Log } from "../observe/index.ts";
import type { Metrics } from "../observe/metrics/index.ts";
import { createBackendServices } from "../backend/index.ts";
import { createWayOut } from "../drivers/way.out.ts";
import { createIdentityRepository, createOAuth } from "../oauth/index.ts";
import { createMemberships, createOrganizationSignIn, createOrganizationService } from "../organization/index.ts";
import type { Words } from "../words/index.ts";
import { createReceivers, resendOf } from "./receivers.ts";

type IdpParts = Pick<Parameters<typeof createIdp>[0], "audit" | "auth" | "post" | "read">;

/** Makes the provider for other programs, whose code is loaded only where it is on. */
async function openIdp({ config, resources, facts, metrics, watch, clock, log }: ServiceOptions, parts: IdpParts) {
  if (!config.idp.enabled) return undefined;
  const { createIdp } = await import("../idp/index.ts");
  const count = (event: ProviderEvent): void => metrics.provider.count(event);
  return createIdp({
    ...parts,
    config,
    database: resources.database,
    facts,
    count,
    watch: watch?.declined,
    clock,
    log,
  });
}

interface ServiceOptions {
  readonly config: Config;
  readonly words: Words;
  readonly resources: Resources;
  readonly facts: RequestFacts;
  readonly mailLook: MailLook;
  readonly metrics: Metrics;
  readonly inspects: Inspects | undefined;
  readonly watch: RequestWatch | undefined;
  readonly passwordCost: PasswordCost | undefined;
  readonly clock: Clock;
  readonly ages: AgeClock;
  readonly log: Log;
}

const auditOptions = (audit: Config["audit"]) => ({
  wholeMonths: audit.wholeMonths,
  addressBits: shorteningBits(audit.addressBits),
  retentionMs: {
    sign_in: audit.signInRetentionMs,
    account: audit.accountRetentionMs,
    staff: audit.staffRetentionMs,
    system: audit.systemRetentionMs,
  },
});

const openAudit = ({ config: { app, audit }, resources: { database, partitions }, clock, ages, log }: ServiceOptions) =>
  createAudit({ database, partitions, app, ...auditOptions(audit), clock, ages, log });

interface BackendParts {
  readonly audit: ReturnType<typeof createAudit>;
  readonly auth: Awaited<ReturnType<typeof createAuth>>;
  readonly idp: ReturnType<typeof createIdp> | undefined;
}

function openBackends({ resources, clock }: ServiceOptions, { audit, auth, idp }: BackendParts) {
  return createBackendServices({
    database: resources.database,
    audit,
    introspect: async (token) => (await auth.introspect(token)) ?? idp?.introspect(token),
    accounts: auth.accounts,
    people: auth.people,
    patchAccount: auth.patchAccount,
    tagOf: auth.tagOf,
    registrationFaults: auth.registrationFaults,
    invitations: auth.invitations,
    clientOf: auth.clientOf,
    clock,
  });
}

export type Services = Awaited<ReturnType<typeof createServices>>;

/** Says what keeps requests from hosts, once one has failed. The operator names these hosts, so there are few. */
function createInTheWay() {
  const ways = new Map<string, ReturnType<typeof createWayOut>>();
  return (host: string): Promise<string | undefined> => {
    const way = ways.get(host) ?? createWayOut(host);
    ways.set(host, way);
    return way();
  };
}

/** Makes the features that modules are built on, in the order in which they need each other. */
export async function createServices(options: ServiceOptions) {
  const { config, words, resources, facts, mailLook, metrics, inspects, watch, passwordCost, clock, log } = options;
  const { database, work, events, mailer, jobMentions } = resources;
  const audit = openAudit(options);
  const shownAccount = (id: string): Promise<object | null> => backends.shownAccount(id);
  const { deliveries, webhooks, hooks, post, read } = createReceivers({ ...options, shownAccount });
  const identities = createIdentityRepository(database);
  const memberships = createMemberships({ config: config.organizations, app: config.app, database, clock });
  const auth = await createAuth({
    config,
    words,
    database,
    work,
    audit,
    jobMentions,
    events,
    jobsOf: webhooks.jobsOf,
    hooks,
    shownAccount,
    programBearer: (token, resource) => idp?.bearerOf(token, resource) ?? Promise.resolve(undefined),
    mailer,
    mailLook,
    facts,
    identities,
    memberships,
    metrics,
    watch: inspects && watch && { ...inspects.auth(facts), refused: watch.refused },
    passwordCost,
    clock,
    log,
  });
  const oauth = createOAuth({
    config,
    database,
    identities,
    auth: auth.federation,
    organizations: createOrganizationSignIn({ config, database, clock }),
    waysOut: { call: post, inTheWay: createInTheWay() },
    facts,
    announceProviders: metrics.announceProviders,
    watchCalls: inspects?.calls,
    clock,
    log,
  });
  const idp = await openIdp(options, { audit, auth: auth.provider, post, read });
  const backends = openBackends(options, { audit, auth, idp });
  const organizations = createOrganizationService({
    config,
    database,
    auth: auth.organizations,
    accountsNamed: auth.transfer.named,
    guard: backends.guard,
    clock,
    log,
  });
  const resend = resendOf(deliveries, { app: config.app.name, names: webhooks.names }, auth.journal.commit);
  const sent = { ...deliveries, names: webhooks.names, resend };
  const figures = createFigures({ database, clock, ages: options.ages });
  return { audit, auth, oauth, idp, webhooks, sent, backends, organizations, figures };
}
