import { useAccount } from "../context.ts";
import { useForm } from "../form.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Page } from "../parts/page.tsx";
import { PasswordField } from "../parts/password.field.tsx";

export function SignInPage() {
  const { words, client, router } = useAccount();
  const { fields, titles } = words.value;
  const form = useForm({
    fields: [
      { name: "login", label: fields.login },
      { name: "password", label: fields.password },
    ],
    async send(valueOf) {
      const result = await client.login({ login: valueOf("login"), password: valueOf("password") });
      if (result.ok) router.replace("/account");
      return result;
    },
  });
  return (
    <Page kind="entry" title={titles["/login"]}>
      <Form state={form}>
        <Field form={form} name="login" label={fields.login} autocomplete="username" isFirst />
        <PasswordField form={form} name="password" label={fields.password} autocomplete="current-password" />
        <Button kind="primary" isBusy={form.isBusy.value}>
          {titles["/login"]}
        </Button>
      </Form>
    </Page>
  );
}
