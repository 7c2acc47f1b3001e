import type { Audit } from "../../audit/index.ts";
import type { AccountName, MailPreviews } from "../../auth/index.ts";
import type { Occurrence } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { DeadLetters, JobBoard } from "../../drivers/queue/index.ts";
import type { FigureService } from "../../figures/index.ts";
import type { Clients } from "../../idp/index.ts";
import type { MaintenanceDesk } from "../../maintenance/index.ts";
import type { OrganizationDesk } from "../../organization/index.ts";
import type { ScheduleBoard } from "../../scheduler/index.ts";
import type { createResend, Deliveries } from "../../webhook/index.ts";

/** The data of the pages of operation, and the parts that their acts change. */
export interface ConsoleParts {
  readonly audit: Pick<Audit, "page" | "windows" | "uses">;
  readonly figures: Pick<FigureService, "of">;
  /** Returns what people call a provider. */
  readonly providerName: (provider: string) => string;
  readonly board: JobBoard;
  readonly deadLetters: DeadLetters;
  /** What was sent to webhooks, and the names of those that are configured. */
  readonly deliveries: Pick<Deliveries, "page" | "one" | "ofMessage"> & {
    readonly names: readonly string[];
    resend: ReturnType<typeof createResend>;
  };
  /** What people are mailed, with made-up values. */
  readonly mails: MailPreviews;
  /** The programs that sign people in; undefined where none do. */
  readonly clients: Pick<Clients, "list" | "byId" | "remove"> | undefined;
  /** The organizations that people belong to; undefined where they belong to none. */
  readonly organizations: Pick<OrganizationDesk, "find" | "namesOf"> | undefined;
  readonly schedules: ScheduleBoard;
  readonly maintenance: MaintenanceDesk;
  /** Commits a change together with its rows in the audit log. */
  readonly commit: (change: {
    readonly statements: readonly Statement[];
    readonly tell: readonly Occurrence[];
  }) => Promise<{ readonly applied: boolean }>;
  /** Returns the names of the people with these ids. */
  readonly namesOf: (ids: Iterable<string>) => Promise<ReadonlyMap<string, AccountName>>;
  /** Returns the id for a user name, an address or an id. Throws `not_found`. */
  readonly idOf: (login: string) => Promise<string>;
  /** Masks the secrets in a text. */
  readonly redact: (text: string) => string;
  readonly clock: Clock;
}

/** The apps of an installation. */
export const apps = ["app", "admin"] as const;
