/** @jsxImportSource #html */
import type { Person } from "../../auth/index.ts";
import { Table } from "../../http/pages/table.tsx";
import type { StaffContext } from "../context.ts";
import { Ago } from "../moment.tsx";
import { Chosen } from "./parts.tsx";

interface IdentitiesProps {
  readonly context: StaffContext;
  readonly person: Person;
}

/** By what the person signs in. */
export const Identities = ({ context: { times }, person: { hasPassword, identities } }: IdentitiesProps) => (
  <section>
    <h2 id="identities">Ways to sign in</h2>
    <Table
      labelledBy="identities"
      columns={["With", "As", "Since", "Last used"]}
      rows={[
        ["Password", hasPassword ? "set" : <span class="soft">none</span>, "", ""],
        ...identities.map(({ provider, email, username, linkedAt, lastLoginAt }) => [
          provider,
          email === null && username === null ? (
            <span class="soft">the provider gave no name</span>
          ) : (
            <Chosen>{email ?? username ?? ""}</Chosen>
          ),
          <Ago at={linkedAt} times={times} />,
          lastLoginAt === null ? <span class="soft">never</span> : <Ago at={lastLoginAt} times={times} />,
        ]),
      ]}
    />
  </section>
);
