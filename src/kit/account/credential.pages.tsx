/** @jsxImportSource #html */
import { faultInWords } from "../../account/shared/in.words.ts";
import { ConfirmPage } from "../frame/confirm.page.tsx";
import { NewPasswordField, type PasswordLengths, TypedField } from "../sign.in/parts.tsx";
import { accountPath, type AccountContext } from "./context.ts";
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

/** Asks once before the password is taken off the account, with what that means. */
export const RemovePasswordPage = ({ context }: { readonly context: AccountContext }) => {
  const { remove, removeTitle, removeMeans } = context.speech.account.password;
  const action = `${accountPath}/password/remove`;
  return (
    <ConfirmPage context={context} title={removeTitle} action={action} label={remove} cancel={accountPath}>
      <p>{removeMeans}</p>
    </ConfirmPage>
  );
};
