export interface BuildInfo {
  readonly version: string;
  readonly revision: string;
}
