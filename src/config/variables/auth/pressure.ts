import { count, integer, positiveDuration } from "../kinds/kinds.ts";
import type { Section } from "../kinds/variable.ts";

export const pressureVariables = {
  lockout: {
    attempts: {
      group: "Login pressure",
      name: "AUTH_LOGIN_LOCKOUT_ATTEMPTS",
      kind: integer(1, 100),
      fallback: "5",
      description: "Wrong passwords in a row that lock a name",
    },
    durationMs: {
      group: "Login pressure",
      name: "AUTH_LOGIN_LOCKOUT_DURATION",
      kind: positiveDuration,
      fallback: "15m",
      description: "How long it stays locked",
    },
  },
  loginRateLimit: {
    attempts: {
      group: "Login pressure",
      name: "AUTH_LOGIN_RATE_LIMIT_ATTEMPTS",
      kind: count,
      fallback: "10",
      description: "Logins tried with one name from one address",
    },
    durationMs: {
      group: "Login pressure",
      name: "AUTH_LOGIN_RATE_LIMIT_DURATION",
      kind: positiveDuration,
      fallback: "15m",
      description: "Window of that limit",
    },
  },
  ipRateLimit: {
    attempts: {
      group: "Login pressure",
      name: "AUTH_IP_RATE_LIMIT_ATTEMPTS",
      kind: count,
      fallback: "100",
      description:
        "Registrations, resets and verifications from one address, each kind counted by itself; 4, 16 and 64 times as many from the blocks around it",
    },
    durationMs: {
      group: "Login pressure",
      name: "AUTH_IP_RATE_LIMIT_DURATION",
      kind: positiveDuration,
      fallback: "15m",
      description: "Window of the limits by address",
    },
  },
  ipLoginFailures: {
    group: "Login pressure",
    name: "AUTH_IP_LOGIN_FAILURES",
    kind: count,
    fallback: "100",
    description:
      "Wrong passwords from one address over all names, in the window of AUTH_IP_RATE_LIMIT_DURATION; 4, 16 and 64 times as many from the blocks around it",
  },
} as const satisfies Section;
