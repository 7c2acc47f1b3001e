import type { SessionDebug } from "../../core/flaws.ts";
import type { Authentication, Credentials } from "./authentication.service.ts";
import type { SessionRow } from "./session.repository.ts";
import type { SessionService } from "./session.service.ts";

type Watch = (event: SessionDebug) => void;

type Check<Row> = (credentials: Credentials) => Promise<Authentication<Row>>;

const watchCheck =
  <Row extends SessionRow>(check: Check<Row>, watch: Watch): Check<Row> =>
  async (credentials) => {
    const result = await check(credentials);
    watchSteps(result, credentials.bearer === undefined, watch);
    return result;
  };

/** Wraps the service so that it reports each step of a check of cookies. */
export const watchSessions = (sessions: SessionService, watch: Watch): SessionService => ({
  ...sessions,
  authenticate: watchCheck(sessions.authenticate, watch),
  identify: watchCheck(sessions.identify, watch),

  async rotate(refresh, client) {
    const rotated = await sessions.rotate(refresh, client, (reason, session) => {
      watch({ outcome: "refresh_cookie_rejected", reason, session });
      watch({ outcome: "request_auth_failed", reason, session });
    });
    watch({ outcome: "request_auth_accepted", reason: "valid_refresh_token", session: rotated.session });
    return rotated;
  },
});

/** Beside a bearer token no refresh cookie is looked at. */
function watchSteps(result: Authentication, byCookies: boolean, watch: Watch): void {
  const { access, refresh } = result;
  const session = "refused" in result ? result.row : result.session;
  const step = (outcome: SessionDebug["outcome"], reason: SessionDebug["reason"]): void =>
    watch({ outcome, reason, session });
  if (!("refused" in result)) {
    if (access === undefined) return step("request_auth_accepted", "valid_access_token");
    step("access_cookie_rejected", access);
    return step("refresh_cookie_recovered", refresh ?? access);
  }
  step("access_cookie_rejected", access ?? result.refused);
  if (access !== undefined && byCookies) step("refresh_cookie_rejected", refresh ?? result.refused);
  step("request_auth_failed", result.refused);
}
