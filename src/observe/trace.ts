/** Says which requests, jobs and calls belong together (W3C Trace Context, version 00). */
export interface Trace {
  /** 32 hexadecimal digits, shared by all that belongs together. */
  readonly traceId: string;
  /** 16 hexadecimal digits: this part of it. */
  readonly spanId: string;
  /** The part that caused this one, where it is known. */
  readonly parentId: string | undefined;
}

const header = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/;
const traceIdForm = /^[\da-f]{32}$/;
const nothing = /^0+$/;
const longestHeader = 512;

const randomHex = (bytes: number): string => crypto.getRandomValues(new Uint8Array(bytes)).toHex();

export const isTraceId = (text: string): boolean => traceIdForm.test(text) && !nothing.test(text);

/** Goes on with the trace that `traceparent` names, or begins another where it is not well-formed (W3C Trace Context §4.3). */
export function traceOf(traceparent: string | null | undefined): Trace {
  const text = traceparent ?? "";
  const [, version, traceId = "", parentId = "", rest] = (text.length <= longestHeader && header.exec(text)) || [];
  const isValid =
    version !== undefined &&
    !nothing.test(traceId) &&
    !nothing.test(parentId) &&
    (version !== "00" || rest === undefined);
  return isValid ? { traceId, spanId: randomHex(8), parentId } : newTrace();
}

/** A part of the trace with this id, or of a new one. */
export const newTrace = (traceId: string = randomHex(16)): Trace => ({
  traceId,
  spanId: randomHex(8),
  parentId: undefined,
});

/** The header for a call to another service. Its last field says that the caller keeps a record. */
export const traceparent = ({ traceId, spanId }: Trace): string => `00-${traceId}-${spanId}-01`;
