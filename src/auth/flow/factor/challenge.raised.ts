import { AppError } from "../../../core/errors.ts";
import type { IssuedChallenge } from "../../factor/challenges.ts";

/** The first proof was right, and a second factor is asked for. Routes hand the secret of the challenge to the browser. */
export class ChallengeRaised extends AppError {
  readonly issued: IssuedChallenge;

  constructor(issued: IssuedChallenge, userId: string) {
    super("mfa_required", { userId });
    this.name = "ChallengeRaised";
    this.issued = issued;
  }
}
