/**
 * The targets of requests that Gatehouse answers on the host of an app: those by which people sign in and look after their account, and by which other programs
 * sign people in. Backends with secrets ask Gatehouse by themselves. A path with anything that two programs may read as two paths is none of them.
 */
export const ownPaths: RegExp = new RegExp(
  [
    String.raw`^(?=/[\w./-]*(?:\?|$))(?![^?]*(?:\.\.|//))/(?:`,
    String.raw`api/v1/auth/(?!introspect(?:[/?]|$))|oauth2/|account(?:[/?]|$)|brand/(?:logo|font)\.|`,
    String.raw`(?:login(?:/(?:on|verify|passkey|mail|mail/code))?|logout|register|forgot-password|reset-password|verify-email|undo-email-change|accept-invitation|email-login|impersonate|device)(?:\?|$)|`,
    String.raw`\.well-known/(?:change-password|jwks\.json|openid-configuration|oauth-authorization-server)(?:\?|$))`,
  ].join(""),
);
