import type { ProviderAuth } from "../../auth/index.ts";
import type { Config } from "../../config/index.ts";
import type { AuditEntry, Occurrence } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import type { Declined, RequestFacts } from "../../http/index.ts";
import type { Brand } from "../../http/pages/brand/brand.ts";
import type { Words } from "../../words/index.ts";
import type { Log } from "../../observe/index.ts";
import type { Codes } from "../authorize/codes.ts";
import type { Pushed } from "../authorize/pushed.ts";
import type { Read } from "../client/published.ts";
import type { FindClient } from "../client/client.ts";
import type { ClientRepository } from "../client/client.repository.ts";
import type { Clients } from "../client/clients.ts";
import type { Devices } from "../device/devices.ts";
import type { OnRefusal } from "../protocol/refusal.ts";
import type { Keys } from "../keys/keys.ts";
import type { Post } from "../logout/logout.job.ts";
import type { Introspect } from "../token/introspection.ts";
import type { Tokens } from "../token/tokens.ts";

/** How an act of the provider ended, for metrics: a grant, a refusal, the wait of a device or a sign-out, with a word of a closed set. */
export type ProviderEvent = { readonly act: "grant" | "refusal" | "wait" | "logout"; readonly what: string };

/** Records refusals behind the answers: those of one key share a row, with their number. */
export interface RefusalLog {
  add(key: string, use: { readonly occurrence: Occurrence & { readonly topic: "client.refused" } }): void;
}

export interface IdpOptions {
  readonly config: Pick<Config, "app" | "auth" | "idp" | "oauth">;
  readonly database: Database;
  readonly auth: ProviderAuth;
  readonly audit: { row(entry: AuditEntry): Statement; readonly uses: RefusalLog };
  readonly facts: RequestFacts;
  /** Calls programs of others, by the guarded way out. */
  readonly post: Post;
  /** Reads what programs of others have published, by the same way, within five seconds. */
  readonly read: Read;
  readonly count: (event: ProviderEvent) => void;
  /** Shows in inspects why a program was refused. */
  readonly watch?: ((refusal: Declined) => void) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the routes of the provider are made of. */
export interface Parts extends IdpOptions {
  readonly decline: OnRefusal;
  readonly issuer: string;
  readonly clients: Clients;
  readonly find: FindClient;
  readonly keys: Keys;
  readonly tokens: Tokens;
  readonly introspect: Introspect;
  readonly words: Words;
  readonly brand: Pick<Brand, "mark" | "look">;
  readonly rows: ClientRepository;
}

/** What pages put away, and programs come for. */
export interface Stores {
  readonly codes: Codes;
  readonly devices: Devices;
  readonly pushed: Pushed;
}
