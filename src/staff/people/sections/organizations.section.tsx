/** @jsxImportSource #html */
import { Table } from "../../../http/pages/parts/list.tsx";
import { Ago } from "../../frame/parts.tsx";
import { Chosen, type AboutPerson } from "../parts.tsx";

/** The organizations that the person is in, and as what. */
export const Organizations = ({ context: { href, times, count, words }, person: { organizations } }: AboutPerson) => (
  <section>
    <h2 id="organizations">
      {words.people.organizations.title}{" "}
      {organizations.length > 0 && <span class="count">{count(organizations.length)}</span>}
    </h2>
    <Table
      labelledBy="organizations"
      columns={Object.values(words.people.organizations.columns)}
      rows={organizations.map(({ id, slug, name, roles, joinedAt }) => [
        <a class="somebody" href={href(`/organizations/${id}`)} title={name}>
          <Chosen>{name}</Chosen>
        </a>,
        <code>{slug}</code>,
        roles.join(", "),
        <Ago at={joinedAt} times={times} />,
      ])}
      empty={<p class="soft">{words.people.organizations.none}</p>}
    />
  </section>
);
