// What is used of Next.js, which is no package of this repository: apps have it.

declare module "next/server" {
  export const NextResponse: {
    next(init: { readonly request: { readonly headers: Headers } }): Response;
    rewrite(destination: string): Response;
  };
}

declare module "next/headers" {
  export function headers(): Promise<Pick<Headers, "get">>;
}
