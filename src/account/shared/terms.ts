/** Where the terms and the privacy policy stand, and the version of the terms that people accept. */
export interface Terms {
  readonly version?: string;
  readonly url?: string;
  readonly privacyUrl?: string;
}

interface TermsSettings {
  readonly termsVersion: string | undefined;
  readonly termsUrl: string | undefined;
  readonly privacyUrl: string | undefined;
}

/** Returns what pages show of the terms. */
export const termsOf = ({ termsVersion, termsUrl, privacyUrl }: TermsSettings): Terms => ({
  ...(termsVersion !== undefined && { version: termsVersion }),
  ...(termsUrl !== undefined && { url: termsUrl }),
  ...(privacyUrl !== undefined && { privacyUrl }),
});
