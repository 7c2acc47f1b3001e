/** @jsxImportSource #html */
import { Table } from "../../../http/pages/parts/list.tsx";
import { Ago, AgoOrNever } from "../../frame/parts.tsx";
import { Chosen, type AboutPerson } from "../parts.tsx";

interface IdentitiesProps extends AboutPerson {
  readonly providerName: (provider: string) => string;
}

/** The second factors of the person. A passkey among them also signs in alone. */
function SecondStep({ context, person: { factors, recoveryCodesLeft: count } }: AboutPerson) {
  const words = context.words.people.ways.factors;
  return (
    <>
      <h3 id="second-step">{words.title}</h3>
      {factors.length === 0 ? (
        <p class="soft">{words.none}</p>
      ) : (
        <>
          <Table
            labelledBy="second-step"
            columns={Object.values(words.columns)}
            rows={factors.map(({ method, name, addedAt, lastUsedAt }) => [
              words[method],
              name === null ? "" : <Chosen>{name}</Chosen>,
              <Ago at={addedAt} times={context.times} />,
              <AgoOrNever at={lastUsedAt} context={context} />,
            ])}
          />
          <p class="hint">{count === 0 ? words.codesGone : words.codesLeft({ count })}</p>
        </>
      )}
    </>
  );
}

/** The ways in which the person signs in. */
export function Identities({ context, person, providerName }: IdentitiesProps) {
  const words = context.words.people.ways;
  return (
    <section>
      <h2 id="identities">{words.title}</h2>
      <Table
        labelledBy="identities"
        columns={Object.values(words.columns)}
        rows={[
          [
            words.password,
            person.hasPassword ? words.passwordSet : <span class="soft">{words.passwordNone}</span>,
            "",
            "",
          ],
          ...person.identities.map(({ provider, email, username, linkedAt, lastLoginAt }) => [
            providerName(provider),
            email === null && username === null ? (
              <span class="soft">{words.nameless}</span>
            ) : (
              <Chosen>{email ?? username ?? ""}</Chosen>
            ),
            <Ago at={linkedAt} times={context.times} />,
            <AgoOrNever at={lastLoginAt} context={context} />,
          ]),
        ]}
      />
      <SecondStep context={context} person={person} />
    </section>
  );
}
