import type { Browsing } from "../../auth/index.ts";
import type { Client } from "../client/client.ts";
import type { OAuthError } from "./errors.ts";

/** A refusal, and whom it concerns as far as that is known. */
export interface Refusal {
  readonly error: OAuthError;
  readonly client?: Client | undefined;
  /** What the request named and is not registered: an address, or the id of a program. */
  readonly asked?: string | undefined;
  readonly person?: Pick<Browsing, "id" | "userId"> | undefined;
}

export type OnRefusal = (request: Request, refusal: Refusal) => void;
