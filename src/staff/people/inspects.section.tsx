/** @jsxImportSource #html */
import { Table } from "../../http/pages/table.tsx";
import type { StaffContext } from "../context.ts";
import { Moment } from "../moment.tsx";
import { Tag } from "./parts.tsx";

/** What an inspect shows here of itself; its own page in Lighthouse shows the rest. */
export interface InspectOfPerson {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly failed: boolean;
  readonly reason: string | null;
  readonly started_at: string;
}

interface InspectsProps {
  readonly context: StaffContext;
  readonly inspects: readonly InspectOfPerson[];
}

/** The requests and jobs of this app that were about the person. Those of the API app are in a Lighthouse of its own. */
export const Inspects = ({ context: { href, reaches, times }, inspects }: InspectsProps) => (
  <section>
    <h2 id="inspects">In Lighthouse</h2>
    {inspects.length === 0 ? (
      <p class="soft">
        No request or job of the admin app that was about the account is kept. Sign-ins are in the Lighthouse of the API
        app, which an operator opens.
      </p>
    ) : (
      <Table
        labelledBy="inspects"
        columns={["When", "What", "Status"]}
        rows={inspects.map(({ id, name, status, failed, reason, started_at: at }) => [
          <Moment at={Date.parse(at)} times={times} />,
          reaches("/lighthouse") ? <a href={href(`/lighthouse/inspects/${id}`)}>{name}</a> : name,
          <>
            <Tag tone={failed ? "warning" : "good"}>{status}</Tag> {reason}
          </>,
        ])}
      />
    )}
  </section>
);
