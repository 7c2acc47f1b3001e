import type { Resources } from "./resources/index.ts";
import type { Services } from "./services.ts";
import { mailPreviewsOf } from "./words/previews.ts";
import { secretValues, type Config } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import type { Brand } from "../http/pages/brand/brand.ts";
import type { Maintenance } from "../maintenance/index.ts";
import { createRedactor } from "../observe/redact.ts";
import { createScheduleBoard } from "../scheduler/index.ts";
import type { ConsoleParts } from "../staff/index.ts";
import type { Words } from "../words/index.ts";

interface ConsoleSources extends Pick<
  Services,
  "audit" | "auth" | "figures" | "idp" | "oauth" | "organizations" | "sent"
> {
  readonly config: Config;
  readonly words: Words;
  readonly brand: Pick<Brand, "mail">;
  readonly maintenance: Pick<Maintenance, "desk">;
  readonly resources: Pick<Resources, "database" | "jobBoard" | "deadLetters">;
  readonly clock: Clock;
}

/** Collects the parts that the operation pages need. */
export function consoleParts(sources: ConsoleSources): ConsoleParts {
  const { config, words, brand, audit, auth, figures, idp, oauth, organizations, sent } = sources;
  const { maintenance, resources, clock } = sources;
  const { database, jobBoard, deadLetters } = resources;
  return {
    audit,
    figures,
    providerName: oauth.nameOf,
    board: jobBoard,
    deadLetters,
    deliveries: sent,
    mails: mailPreviewsOf(config, words, brand),
    clients: idp?.clients,
    organizations: organizations.desk,
    schedules: createScheduleBoard({ database, clock }),
    maintenance: maintenance.desk,
    commit: auth.journal.commit,
    namesOf: auth.namesOf,
    idOf: auth.accounts.idOf,
    redact: createRedactor(secretValues(config)).text,
    clock,
  };
}
