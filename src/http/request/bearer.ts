// The scheme is not case-sensitive (RFC 9110 §11.1).
const scheme = /^bearer +/i;

/** Returns the text after `Bearer` in the Authorization header (RFC 6750 §2.1), without checking it; undefined without such a header. */
export function bearerToken(request: Request): string | undefined {
  const authorization = request.headers.get("authorization");
  return authorization !== null && scheme.test(authorization) ? authorization.replace(scheme, "") : undefined;
}
