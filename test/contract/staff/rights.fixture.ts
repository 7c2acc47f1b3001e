export const roles = ["admin", "support", "auditor"] as const;
export type Role = (typeof roles)[number];

const all = "admin support auditor";
const desk = "admin support";
const readers = "admin auditor";
const admins = "admin";

/**
 * Every route of the admin app that is not open to all, and the roles to which it is open. Written by hand and not made from the table of the
 * code, so that a route, or a change of that table, needs a second thought here.
 */
const table: Readonly<Record<string, string>> = {
  "GET /": all,
  "GET /account": all,
  "GET /two-step": all,
  "POST /two-step/app": all,
  "POST /two-step/app/confirm": all,
  "GET /two-step/app/remove": all,
  "POST /two-step/app/remove": all,
  "GET /two-step/codes": all,
  "POST /two-step/codes": all,
  "POST /two-step/passkeys": all,
  "POST /two-step/passkeys/add": all,
  "GET /two-step/passkeys/:id": all,
  "POST /two-step/passkeys/:id/rename": all,
  "POST /two-step/passkeys/:id/remove": all,
  "GET /people": all,
  "GET /people/:id": all,
  "POST /people/:id/unlock": desk,
  "POST /people/:id/send-reset": desk,
  "POST /people/:id/send-verification": desk,
  "POST /people/:id/end-sessions": desk,
  "POST /people/:id/reset-factors": desk,
  "POST /people/:id/verify": admins,
  "POST /people/:id/disable": admins,
  "POST /people/:id/enable": admins,
  "POST /people/:id/roles": admins,
  "GET /people/:id/export": admins,
  "POST /people/:id/export": admins,
  "GET /people/:id/delete": admins,
  "POST /people/:id/delete": admins,
  "GET /people/invitations": all,
  "POST /people/invitations": admins,
  "POST /people/invitations/:id/resend": desk,
  "POST /people/invitations/:id/withdraw": admins,
  "GET /organizations": all,
  "GET /organizations/:id": all,
  "GET /organizations/new": admins,
  "POST /organizations/new": admins,
  "POST /organizations/:id/add-member": admins,
  "POST /organizations/:id/owner": admins,
  "POST /organizations/:id/roles": admins,
  "POST /organizations/:id/remove-member": admins,
  "POST /organizations/:id/withdraw": admins,
  "GET /organizations/:id/remove-domain": admins,
  "POST /organizations/:id/remove-domain": admins,
  "GET /organizations/:id/remove-provider": admins,
  "POST /organizations/:id/remove-provider": admins,
  "GET /organizations/:id/delete": admins,
  "POST /organizations/:id/delete": admins,
  "GET /audit": readers,
  "GET /audit.csv": readers,
  "GET /jobs": readers,
  "POST /jobs/:id/retry": admins,
  "POST /jobs/retry": admins,
  "GET /apps": readers,
  "GET /apps/:id": readers,
  "GET /apps/:id/remove": admins,
  "POST /apps/:id/remove": admins,
  "GET /mail-previews": readers,
  "GET /mail-previews/:name": readers,
  "GET /mail-previews/:name/html": readers,
  "GET /webhooks": readers,
  "GET /webhooks/:id": readers,
  "POST /webhooks/:id/resend": admins,
  "GET /schedules": readers,
  "POST /schedules/:name/run": admins,
  "POST /schedules/:name/withdraw": admins,
  "GET /maintenance": all,
  "POST /maintenance/:app": admins,
};

export const rights: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(table).map(([route, open]) => [route, new Set(open.split(" "))]),
);

/** Paths that are open to everybody, signed in or not. Somebody has to think about a new one before adding it here. */
const openPaths: ReadonlySet<string> = new Set([
  "/login",
  "/login/verify",
  "/login/passkey",
  "/register",
  "/forgot-password",
  "/reset-password",
  "/verify-email",
  "/undo-email-change",
  "/logout",
  "/assets/style.css",
  "/assets/script.js",
  "/-/health",
  "/-/ready",
  "/metrics",
]);
const isOpen = (path: string): boolean => openPaths.has(path) || path === "/openapi" || path.startsWith("/openapi/");
/** Lighthouse asks for a secret of its own, and answers programs with JSON. */
export const isLighthouse = (path: string): boolean => path === "/lighthouse" || path.startsWith("/lighthouse/");
/** The control of maintenance asks for the diagnostic token. */
export const isControl = (path: string): boolean => path.startsWith("/-/maintenance");
export const isGuarded = (path: string): boolean => !isOpen(path) && !isLighthouse(path) && !isControl(path);

/** Returns the route that a path leads to, such as `/people/:id/unlock`; undefined where none does. */
export function routeAt(method: string, path: string): string | undefined {
  const candidates = [...rights.keys()].filter((route) => {
    const [verb, pattern = ""] = route.split(" ");
    return verb === method && new RegExp(`^${pattern.replaceAll(/:[^/]+/g, "[^/]+")}$`).test(path);
  });
  return candidates.find((route) => !route.includes(":")) ?? candidates[0];
}
