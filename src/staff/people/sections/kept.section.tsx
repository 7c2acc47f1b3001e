/** @jsxImportSource #html */
import { presentMetadata } from "../../../auth/index.ts";
import type { AboutPerson } from "../parts.tsx";

interface KeptProps {
  readonly label: string;
  readonly metadata: object;
}

const Kept = ({ label, metadata }: KeptProps) =>
  Object.keys(metadata).length === 0 ? (
    <></>
  ) : (
    <>
      <h3>{label}</h3>
      <pre class="card kept">{JSON.stringify(metadata, undefined, 2)}</pre>
    </>
  );

/** What apps keep on the account and its person may see. What services keep to themselves is no business of support either. */
export const KeptByApps = ({ context, person: { metadata } }: AboutPerson) => {
  const words = context.words.people.kept;
  const { app_metadata: byApps, user_metadata: own } = presentMetadata(metadata);
  if ([byApps, own].every((each) => Object.keys(each).length === 0)) return <></>;
  return (
    <section>
      <h2>{words.title}</h2>
      <Kept label={words.byApps} metadata={byApps} />
      <Kept label={words.forPerson} metadata={own} />
    </section>
  );
};
