/** @jsxImportSource #html */
import { Act } from "../../http/pages/parts/form.tsx";
import { accountPath, type AccountContext } from "./context.ts";
import { CurrentPassword, FormCard, type FormPageProps, wrongPassword } from "./form.tsx";
import { Opener, Row, Section } from "./section.tsx";

interface DataProps {
  readonly context: AccountContext;
}

/** Takes along what is kept about the person. */
export const DataSection = ({ context: { href, token, speech } }: DataProps) => {
  const { sections, data } = speech.account;
  return (
    <Section id="data" title={sections.data}>
      <ul class="rows">
        <Row title={data.export} about={data.exportMeans}>
          <Act action={href(`${accountPath}/data`)} token={token}>
            {speech.words.acts.download}
          </Act>
        </Row>
      </ul>
    </Section>
  );
};

/** Leads to the deletion of the account, last and alone. */
export const DeletionSection = ({ context }: DataProps) => {
  const { sections, data } = context.speech.account;
  return (
    <Section id="deletion" title={sections.deletion} state={data.removeMeans}>
      <Opener context={context} path={`${accountPath}/delete`} isDanger>
        {data.remove}
      </Opener>
    </Section>
  );
};

/** Asks once before the account is deleted, with what will happen. The password shows that it is its owner. */
export const DeletePage = ({ context, view }: FormPageProps) => {
  const { removeTitle, removeSubmit, consequences } = context.speech.account.data;
  return (
    <FormCard
      context={context}
      view={view}
      title={removeTitle}
      action={`${accountPath}/delete`}
      submit={removeSubmit}
      kind="danger"
      blamed={wrongPassword}
    >
      <ul class="consequences">
        <li>{consequences.devices}</li>
        <li>{consequences.profile}</li>
        <li>{consequences.final}</li>
      </ul>
      {context.user.passwordHash !== null && <CurrentPassword context={context} view={view} autofocus />}
    </FormCard>
  );
};
