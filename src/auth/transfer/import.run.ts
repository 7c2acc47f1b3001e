import { AppError, invalidFields } from "../../core/errors.ts";
import { FieldFault } from "../../core/fields.ts";
import type { ForeignSystem } from "../../core/people/foreign.systems.ts";
import type { createAccountReader, TransferredAccount } from "./account.record.ts";
import { auth0 } from "./foreign/auth0.ts";
import { clerk } from "./foreign/clerk.ts";
import { django } from "./foreign/django.ts";
import { firebase, readHashConfig } from "./foreign/firebase.ts";
import {
  fieldsOf,
  NotTaken,
  type Converted,
  type ConvertSettings,
  type FirebaseParameters,
  type Foreign,
} from "./foreign/foreign.ts";
import { keycloak } from "./foreign/keycloak.ts";
import { pocketbase } from "./foreign/pocketbase.ts";
import { supabase } from "./foreign/supabase.ts";
import type { ImportOutcome, ImportService } from "./import.service.ts";
import { recordsOf, type SourceRecord } from "./records.ts";

const systems: Readonly<Record<ForeignSystem, Foreign>> = {
  pocketbase,
  supabase,
  django,
  keycloak,
  firebase,
  clerk,
  auth0,
};

export interface ImportSettings {
  /** The system that has written the file. Default: an export of this service. */
  readonly from: ForeignSystem | undefined;
  /** The parameters of Firebase's hashes, as its console shows them. */
  readonly hashConfig: string | undefined;
  /** The app's own fields there that people write themselves, and those that they do not see. */
  readonly userFields: readonly string[];
  readonly privateFields: readonly string[];
  /** Takes the names of the app's own fields that the export has: one that was named and never met is misspelt. */
  readonly met: Set<string>;
  /** Whether the other system's id becomes the external id, where it is not kept as the account's id. */
  readonly keepsIds: boolean;
  /** Whether every address counts as proven, whatever the file says. */
  readonly verified: boolean;
  /** Whether nothing is written. */
  readonly isTrial: boolean;
  readonly signal: AbortSignal;
}

export type ImportReport = ImportOutcome & { readonly line: number; readonly sourceId: string | undefined };

interface ImportProgress {
  readonly reports: readonly ImportReport[];
  readonly bytesRead: number;
}

/** Throws `invalid_payload`. */
function firebaseOf(hashConfig: string | undefined): FirebaseParameters | undefined {
  if (hashConfig === undefined) return undefined;
  const read = readHashConfig(hashConfig);
  if (!("missing" in read)) return read;
  throw invalidFields({ hash_config: new FieldFault("invalid_value", `has no ${read.missing}`) });
}

const convertSettingsOf = (settings: ImportSettings): ConvertSettings => ({
  firebase: firebaseOf(settings.hashConfig),
  userFields: new Set(settings.userFields),
  privateFields: new Set(settings.privateFields),
  met: settings.met,
});

/** Adds the other system's id as the external one. An external id that the account has there stays, since programs know it by that one. */
const withSourceId = ({ sourceId, fields }: Converted): Converted["fields"] =>
  fields["id"] === undefined ? { ...fields, external_id: fields["external_id"] ?? sourceId } : fields;

interface RunOptions {
  readonly bring: ImportService["bring"];
  readonly read: ReturnType<typeof createAccountReader>;
}

/** Few enough that the one lock of SQLite is held only for milliseconds. */
const accountsPerBatch = 100;
/** The longest rest between two batches, for a database that is slow as it is. */
const longestRestMs = 250;

interface Read {
  readonly line: number;
  readonly sourceId?: string | undefined;
  readonly account: TransferredAccount | { readonly refusal: string };
}

/** Reads a file of accounts and imports them batch by batch, so that the file may be of any size. */
export function createImportRun({ bring, read }: RunOptions) {
  async function readOne(
    { line, text }: SourceRecord,
    settings: ImportSettings,
    convertSettings: ConvertSettings,
  ): Promise<Read> {
    if (text === undefined) return { line, account: { refusal: "is longer than an account can be" } };
    let sourceId: string | undefined;
    try {
      const sent: unknown = JSON.parse(text);
      if (settings.from === undefined) return { line, account: await read(sent, settings.verified) };
      const converted = systems[settings.from].convert(fieldsOf(sent), convertSettings);
      sourceId = converted.sourceId;
      const fields = settings.keepsIds ? withSourceId(converted) : converted.fields;
      return { line, sourceId, account: await read(fields, settings.verified) };
    } catch (error) {
      return { line, sourceId, account: { refusal: explain(error) } };
    }
  }

  async function finish(batch: readonly Read[], isTrial: boolean): Promise<readonly ImportReport[]> {
    const accounts = batch.flatMap(({ account }) => ("refusal" in account ? [] : [account]));
    const outcomes = (await bring(accounts, isTrial)).values();
    return batch.map(({ line, sourceId, account }) => {
      const outcome: ImportOutcome | undefined =
        "refusal" in account ? { outcome: "refused", reason: account.refusal } : outcomes.next().value;
      if (outcome === undefined) throw new Error("an account has no outcome");
      return { line, sourceId, ...outcome };
    });
  }

  return async function* run(
    stream: AsyncIterable<Uint8Array>,
    settings: ImportSettings,
  ): AsyncGenerator<ImportProgress> {
    const { from, isTrial, signal } = settings;
    const convertSettings = convertSettingsOf(settings);
    let batch: Read[] = [];
    let bytesRead = 0;
    const flush = async (): Promise<ImportProgress> => {
      signal.throwIfAborted();
      const startedAt = performance.now();
      const reports = await finish(batch, isTrial);
      batch = [];
      // During the rest the running service has the database, and on a busy machine the processor, to itself.
      if (!isTrial) await Bun.sleep(Math.min(longestRestMs, (performance.now() - startedAt) / 2));
      return { reports, bytesRead };
    };
    for await (const record of recordsOf(stream, from === undefined ? "lines" : systems[from].layout)) {
      batch.push(await readOne(record, settings, convertSettings));
      bytesRead = record.bytesRead;
      if (batch.length >= accountsPerBatch) yield await flush();
    }
    if (batch.length > 0) yield await flush();
  };
}

/** Returns what is wrong with a line, in words that hold nothing of it. */
function explain(error: unknown): string {
  if (error instanceof NotTaken) return error.message;
  if (error instanceof SyntaxError) return "is no JSON";
  if (!(error instanceof AppError)) throw error;
  const faults = Object.entries(error.fields ?? {}).map(([field, { complaint }]) => `${field}: ${complaint}`);
  return faults.length === 0 ? error.message : faults.join("; ");
}
