/** Who is calling, as Gatehouse tells it. Plain data: it can be serialised. */
export interface GateUser {
  /** Never changes. */
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly roles: readonly string[];
  /** The session; null for a script of the person, which calls by a personal token. */
  readonly sessionId: string | null;
  /** The organization that the session acts for, and what the person is in it. */
  readonly organization: GateOrganization | null;
  /** The program that calls for the person with a token for the gate's `resource`; null where the person calls, and for a gate without one. */
  readonly program: GateProgram | null;
  /** What the service's `AUTH_TOKEN_CLAIMS` lists; empty without that setting. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** `aal2` where the session has shown a second factor. Absent where the service does not tell. */
  readonly acr?: string;
  /** When the person was last proven, in seconds since 1970. Absent where the service does not tell. */
  readonly authTime?: number;
}

export interface GateProgram {
  readonly clientId: string;
  /** What the program may do; what a scope means here is the app's to say. */
  readonly scopes: readonly string[];
}

export interface GateOrganization {
  readonly id: string;
  readonly slug: string;
  readonly roles: readonly string[];
}

/** What a gate looks at of a request. A `Request` is one, and frameworks that have none can make one up. */
export interface GateRequest {
  readonly method: string;
  /** A path will do where the app does not know its own address. */
  readonly url: string;
  readonly headers: Pick<Headers, "get">;
}

export interface GateOptions {
  /** Where the app reaches Gatehouse, such as `http://127.0.0.1:3000`. Nothing is sent anywhere else. */
  readonly baseUrl: string;
  /** Where browsers reach Gatehouse. Default: `baseUrl`. */
  readonly publicUrl?: string | undefined;
  /** The public address of the app, where a proxy keeps requests from telling it. */
  readonly appUrl?: string | undefined;
  /** How long Gatehouse may take to answer. Default: 3 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Other origins whose pages may send what changes something, such as `https://www.example.com`. */
  readonly origins?: readonly string[] | undefined;
  /** The address that tokens have to be for (RFC 8707), or its description. The gate then answers RFC 9728's question about it. */
  readonly resource?: string | GateResource | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** How a resource is described to programs (RFC 9728). */
export interface GateResource {
  readonly url: string;
  readonly name?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/** What has to be true of the person who is calling. */
export interface GateNeeds {
  readonly role?: string;
  /** The id of the organization that the session has to act for. */
  readonly org?: string;
  /** A role that the person has to have in that organization. */
  readonly orgRole?: string;
  /** Whether the address has to be verified. */
  readonly verified?: boolean;
  /** How many seconds ago the person may have been proven, at most. */
  readonly maxAge?: number;
  /** Whether nobody may be signed in: `user` is null then. */
  readonly optional?: boolean;
  /** Whether a person who opens a page is led to the sign-in page in place of a 401. */
  readonly signIn?: boolean;
  /** The address at the other end of the connection, where the app knows it: limits then count the person, and not the app. */
  readonly clientAddress?: string | undefined;
}

/** Somebody who may go on, with the headers to hand on to the browser, or the answer that the app has to give. */
export type GateResult<User = GateUser> =
  | { readonly user: User; readonly headers: Headers; readonly response?: undefined }
  | { readonly user?: undefined; readonly headers?: undefined; readonly response: Response };

export interface Gate {
  (request: GateRequest, needs?: GateNeeds & { readonly optional?: false }): Promise<GateResult>;
  (request: GateRequest, needs?: GateNeeds): Promise<GateResult<GateUser | null>>;
  /** Returns the description of the resource (RFC 9728) for a request that asks for it; undefined for any other. The gate answers it by itself. */
  protectedResource(request: GateRequest): Response | undefined;
}
