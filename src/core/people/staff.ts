/** The roles with a meaning in the admin app, the one that may do most first. */
export const staffRoles = ["admin", "support", "auditor"] as const;
export type StaffRole = (typeof staffRoles)[number];

const all = staffRoles;
/** Those who help people on the phone. */
const desk = ["admin", "support"] as const;
/** Those who read whatever there is. */
const readers = ["admin", "auditor"] as const;
const admins = ["admin"] as const;

/**
 * What is done on the pages for staff, and which roles may do it. This table alone decides: routes, buttons and links, and the acts on
 * accounts themselves, ask it.
 */
const table = {
  /** One's own account and second factors. */
  "own.manage": all,
  "dashboard.see": all,
  "people.see": all,
  "people.unlock": desk,
  "people.send-reset": desk,
  "people.send-verification": desk,
  "people.end-sessions": desk,
  "people.reset-factors": desk,
  /** To look at an account in its person's name, where AUTH_IMPERSONATION_ENABLED says admin, and where it says support. */
  "people.impersonate": admins,
  "people.impersonate-by-support": desk,
  "people.verify": admins,
  "people.disable": admins,
  "people.enable": admins,
  "people.roles": admins,
  "people.export": admins,
  "people.delete": admins,
  "invitations.see": all,
  "invitations.invite": admins,
  "invitations.resend": desk,
  "invitations.withdraw": admins,
  "organizations.see": all,
  "organizations.change": admins,
  "audit.see": readers,
  "audit.export": readers,
  "jobs.see": readers,
  "jobs.retry": admins,
  "apps.see": readers,
  "apps.remove": admins,
  "mails.see": readers,
  "webhooks.see": readers,
  "webhooks.resend": admins,
  "schedules.see": readers,
  "schedules.run": admins,
  "maintenance.see": all,
  "maintenance.switch": admins,
  "lighthouse.see": readers,
} as const satisfies Readonly<Record<string, readonly StaffRole[]>>;

export type StaffAct = keyof typeof table;

/** Returns the act of looking at an account in its person's name; undefined where none of the staff may. */
export function impersonationBy(roles: readonly StaffRole[]): StaffAct | undefined {
  if (roles.includes("support")) return "people.impersonate-by-support";
  return roles.length === 0 ? undefined : "people.impersonate";
}

/** Returns the roles of which one is enough for the act, the one that may do most first. */
export const rolesFor = (act: StaffAct): readonly StaffRole[] => table[act];

/** Returns the role by which somebody with these roles may do the act; undefined where none of them is enough. */
export const roleFor = (act: StaffAct, roles: readonly string[]): StaffRole | undefined =>
  rolesFor(act).find((role) => roles.includes(role));

/** Whether somebody with these roles may open the pages for staff, and is nobody for others than admins to act on. */
export const isStaff = (roles: readonly string[]): boolean => staffRoles.some((role) => roles.includes(role));

/** Whether somebody with these roles may do the act to an account: only admins do anything to one of the staff. */
export function mayDoTo(act: StaffAct, roles: readonly string[], rolesOfSubject: readonly string[]): boolean {
  const role = roleFor(act, roles);
  return role === "admin" || (role !== undefined && !isStaff(rolesOfSubject));
}
