/** @jsxImportSource #html */
import { faultInWords } from "../../account/shared/in.words.ts";
import { NewPasswordField, type PasswordLengths, TypedField } from "../sign.in/parts.tsx";
import { accountPath } from "./context.ts";
import { CurrentPassword, FormCard, type FormPageProps, wrongPassword } from "./form.tsx";

/** Refusals of an address, each of which its field tells of. */
const ofAddress = ["email_taken", "domain_not_allowed"] as const;

export const AddressPage = ({ context, view }: FormPageProps) => {
  const { email } = context.speech.account;
  const blamed = ofAddress.find((reason) => reason === view.refusal?.reason);
  return (
    <FormCard
      context={context}
      view={view}
      title={email.change}
      subtitle={email.changeMeans}
      action={`${accountPath}/email`}
      submit={email.change}
      blamed={[...ofAddress, ...wrongPassword]}
    >
      <TypedField
        view={view}
        name="email"
        label={email.next}
        type="email"
        autocomplete="email"
        error={blamed && faultInWords(view.words, blamed, email.next)}
        autofocus
      />
      <CurrentPassword context={context} view={view} />
    </FormCard>
  );
};

interface PasswordPageProps extends FormPageProps {
  readonly lengths: PasswordLengths;
}

export const PasswordPage = ({ context, view, lengths }: PasswordPageProps) => {
  const { password } = context.speech.account;
  const { fields } = context.speech.words;
  return (
    <FormCard
      context={context}
      view={view}
      title={password.change}
      subtitle={password.ends}
      action={`${accountPath}/password`}
      submit={password.change}
      blamed={wrongPassword}
    >
      <CurrentPassword context={context} view={view} autofocus={view.refusal === undefined} />
      <NewPasswordField
        view={view}
        name="new_password"
        label={fields.newPassword}
        lengths={lengths}
        autofocus={view.refusal?.fields?.["new_password"] !== undefined}
      />
    </FormCard>
  );
};
