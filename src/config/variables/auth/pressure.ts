import { count, integer, positiveDuration } from "../kinds/kinds.ts";
import { variablesOf, type Section } from "../kinds/variable.ts";

const loginPressure = variablesOf("Login pressure");

export const pressureVariables = {
  lockout: {
    attempts: loginPressure("AUTH_LOGIN_LOCKOUT_ATTEMPTS", integer(1, 100), {
      fallback: "5",
      description: "Wrong passwords in a row that lock a name",
    }),
    durationMs: loginPressure("AUTH_LOGIN_LOCKOUT_DURATION", positiveDuration, {
      fallback: "15m",
      description: "How long it stays locked",
    }),
  },
  loginRateLimit: {
    attempts: loginPressure("AUTH_LOGIN_RATE_LIMIT_ATTEMPTS", count, {
      fallback: "10",
      description: "Logins tried with one name from one address",
    }),
    durationMs: loginPressure("AUTH_LOGIN_RATE_LIMIT_DURATION", positiveDuration, {
      fallback: "15m",
      description: "Window of that limit",
    }),
  },
  ipRateLimit: {
    attempts: loginPressure("AUTH_IP_RATE_LIMIT_ATTEMPTS", count, {
      fallback: "100",
      description:
        "Registrations, resets and verifications from one address, each kind counted by itself; 4, 16 and 64 times as many from the blocks around it",
    }),
    durationMs: loginPressure("AUTH_IP_RATE_LIMIT_DURATION", positiveDuration, {
      fallback: "15m",
      description: "Window of the limits by address",
    }),
  },
  ipLoginFailures: loginPressure("AUTH_IP_LOGIN_FAILURES", count, {
    fallback: "100",
    description:
      "Wrong passwords from one address over all names, in the window of AUTH_IP_RATE_LIMIT_DURATION; 4, 16 and 64 times as many from the blocks around it",
  }),
} as const satisfies Section;
