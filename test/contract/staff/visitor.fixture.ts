import type { Person } from "../../support/auth.ts";
import { openPlainTab } from "../../support/chromium.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";

/** Signs a member of staff in on the pages of the admin app, in a browser of its own. */
export async function visitAsStaff(
  adminUrl: string,
  { email, password }: Pick<Person, "email" | "password">,
): Promise<Visitor> {
  const visitor = await createVisitor(openPlainTab({ width: 1280, height: 900 }));
  await visitor.open(`${adminUrl}/login`, "Sign in");
  await visitor.fill("login", email);
  await visitor.fill("password", password);
  await visitor.tab.press("Enter");
  await visitor.isAt("/");
  return visitor;
}
