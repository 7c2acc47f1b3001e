// What the apps in JavaScript have in common: see test/kits/gate.conformance.ts.
const { env } = process;

export const options = {
  baseUrl: env.GATEHOUSE_URL,
  publicUrl: env.GATEHOUSE_PUBLIC_URL,
  origins: [env.APP_ORIGIN],
  timeoutMs: Number(env.GATE_TIMEOUT_MS),
  ...(env.APP_RESOURCE && { resource: env.APP_RESOURCE }),
};
export const needs = { signIn: true, ...(!env.GATE_CLOSED && { optional: true }) };
export const port = Number(env.PORT);
export const cached = { "cache-control": "public, max-age=3600", "cdn-cache-control": "max-age=3600" };

export const told = (user) =>
  user
    ? {
        id: user.id,
        username: user.username,
        email: user.email,
        email_verified: user.emailVerified,
        roles: user.roles,
        session_id: user.sessionId,
        acr: user.acr ?? null,
        auth_time: user.authTime ?? null,
        organization: user.organization,
        claims: user.claims,
      }
    : null;
