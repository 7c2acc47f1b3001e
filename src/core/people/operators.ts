/** A login name of a host, one of a domain (`ACME\ada`, `ada@acme.example`) included. */
const login = /^[A-Za-z_][\w.@\\-]{0,63}$/;

/** Whether a text can be the login name of somebody on a host. Anything else says nothing about who ran a command. */
export const isOperatorName = (text: string): boolean => login.test(text);

/** The header by which a command that calls a running app says who runs it. It counts beside the diagnostic token alone. */
export const operatorHeader = "x-gatehouse-operator";
