import type { OAuthError } from "../protocol/errors.ts";
import type { Browsing } from "../../auth/index.ts";
import type { Params } from "../protocol/params.ts";
import type { AuthorizationRequest, Destination } from "./request.ts";

/** What a client is told, at the address that it has registered. */
export interface Answer {
  readonly kind: "answer";
  readonly to: Pick<Destination, "redirectUri" | "mode" | "client" | "locales">;
  readonly params: Readonly<Record<string, string>>;
  readonly refusal?: OAuthError;
  /** Whether the person is asked first: nobody here has checked the client, and they have not let it in. */
  readonly isAskedFirst: boolean;
}

/** What a person has said to the question of a page: no, or yes to the scopes and resource servers that it showed. */
export type Said = "deny" | readonly string[];

/** What becomes of a request. `entries` is the request as it can be sent again. */
export type Outcome =
  | Answer
  | {
      readonly kind: "sign_in";
      readonly isProof: boolean;
      /** Whether somebody is signed in, who may go on as another person. */
      readonly isKnown: boolean;
      readonly entries: Params["entries"];
      readonly request: AuthorizationRequest;
    }
  | {
      readonly kind: "consent";
      readonly entries: Params["entries"];
      readonly request: AuthorizationRequest;
      readonly viewer: Browsing;
    }
  | {
      readonly kind: "no_role" | "not_own";
      readonly entries: Params["entries"];
      readonly request: AuthorizationRequest;
      readonly viewer: Browsing;
    };
