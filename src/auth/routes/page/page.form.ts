/** Returns the fields of a form as the object that JSON would be. The last one counts where a field comes twice. */
const fieldsOf = (form: URLSearchParams): object => ({
  ...Object.fromEntries(form),
  remember: form.get("remember") !== null,
});

/** Parses the answer of a passkey, which comes as the text of its JSON. A text that is no JSON stays as it is, to be refused as a field. */
export function parsedCredential(form: URLSearchParams): object {
  const text = form.get("credential") ?? "";
  if (text === "") return { credential: undefined };
  try {
    const credential: unknown = JSON.parse(text);
    return { credential };
  } catch {
    return { credential: text };
  }
}

/** Reads a form as a JSON route reads its body. Throws `invalid_payload`. `changed`: fields whose text stands for something else. */
export const readForm = async <T>(
  body: { readonly "~standard": { validate(value: unknown): { value: T } | Promise<{ value: T }> } },
  form: URLSearchParams,
  changed: (form: URLSearchParams) => object = () => ({}),
): Promise<T> => (await body["~standard"].validate({ ...fieldsOf(form), ...changed(form) })).value;
