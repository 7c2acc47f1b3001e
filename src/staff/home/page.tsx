/** @jsxImportSource #html */
import type { StaffContext } from "../context.ts";
import { StaffPage } from "../page.tsx";

/** Where a sign-in leads. */
export const HomePage = ({ context }: { readonly context: StaffContext }) => (
  <StaffPage context={context} title="Dashboard" at="/">
    <h1>Dashboard</h1>
    <p>
      You are signed in as <strong dir="auto">{context.viewer.session.username}</strong>.
    </p>
  </StaffPage>
);
