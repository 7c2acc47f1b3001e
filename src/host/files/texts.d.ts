// The files of systemd/ are imported with { type: "text" }: an import is the file's content, in the compiled binary too.
declare module "*.service" {
  const text: string;
  export default text;
}
declare module "*.target" {
  const text: string;
  export default text;
}
declare module "*.conf" {
  const text: string;
  export default text;
}
declare module "*.cfg" {
  const text: string;
  export default text;
}
declare module "*.example" {
  const text: string;
  export default text;
}
declare module "*/gatehouse-command" {
  const text: string;
  export default text;
}
declare module "*.rules.yml" {
  const text: string;
  export default text;
}
declare module "*/prometheus.yml" {
  const text: string;
  export default text;
}
