import type { FieldCode, LocalCode, PasskeyCode, ServerCode } from "./codes.ts";
import type { FactorName } from "./model.ts";

export interface FieldError {
  code: FieldCode;
  /** The code in English, for people. */
  message: string;
}

export interface Failure {
  ok: false;
  code: ServerCode | LocalCode | PasskeyCode;
  /** The code in English, for people. */
  error: string;
  /** The HTTP status; 0 where no answer came. */
  status: number;
  /** Every wrong field of the request body. */
  fields?: Record<string, FieldError>;
  /** The part of the request that has to be mended, for developers. */
  detail?: string;
  /** The name of the request in the service's log. */
  requestId?: string;
  retryAfterSeconds?: number;
  /** With `mfa_required`: the id of the challenge that the sign-in waits for. `verifyLogin` takes it. */
  challenge?: string;
  /** With `mfa_required`: the second factors that can finish the sign-in. */
  methods?: FactorName[];
  /** With `invalid_credentials` of a passkey: nobody has it, so that `forgetPasskey` can tell its device. */
  unknownPasskey?: true;
  /** With `provider_required`: where the browser begins the sign-in. */
  redirect?: string;
  /** With `mfa_required`: how long the sign-in can be finished. */
  expiresInSeconds?: number;
}

/** The outcome of every call. No call throws because the service refuses or can't be reached. */
export type Result<T = unknown> = ({ ok: true } & T) | Failure;

export interface CallOptions {
  /** Ends the call with the code `aborted`. */
  signal?: AbortSignal | undefined;
  /** Replaces the time limit of the client. */
  timeoutMs?: number | undefined;
  /** False: a 401 is the answer, without a refresh. A page that is also for strangers asks so who is signed in. */
  refresh?: boolean | undefined;
}
