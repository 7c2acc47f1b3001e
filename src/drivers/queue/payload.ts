import type { Job, JobPayload } from "../../core/job.ts";
import { isName } from "../../core/naming.ts";

/** Enough for ids: a job's handler reads the rest from the database. */
export const maxPayloadBytes = 8 * 1024;
const maxDelayMs = 366 * 24 * 3_600_000;

const isPayload = (value: unknown): value is JobPayload =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(
    (field) =>
      field === null ||
      typeof field === "string" ||
      typeof field === "boolean" ||
      (typeof field === "number" && Number.isFinite(field)),
  );

/** Returns the payload as it is stored; throws on a job that no driver may accept. */
export function encodeJob({ name, payload, delayMs = 0, retryForMs = 1 }: Job): string {
  if (!isName("job", name)) throw new Error(`"${name}" is not a job name`);
  if (!(delayMs >= 0 && delayMs <= maxDelayMs)) throw new Error(`job ${name}: the delay ${delayMs} is out of range`);
  if (!(retryForMs > 0 && retryForMs <= maxDelayMs))
    throw new Error(`job ${name}: the time ${retryForMs} for retries is out of range`);
  if (!isPayload(payload))
    throw new Error(`job ${name}: the payload may hold strings, finite numbers, booleans and null`);
  const stored = JSON.stringify(payload);
  const bytes = Buffer.byteLength(stored);
  if (bytes > maxPayloadBytes) throw new Error(`job ${name}: a payload of ${bytes} bytes exceeds ${maxPayloadBytes}`);
  return stored;
}

/** Returns undefined when the stored text is no payload, for example because a release with another format has written it. */
export function decodePayload(stored: string): JobPayload | undefined {
  try {
    const value: unknown = JSON.parse(stored);
    return isPayload(value) ? value : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
