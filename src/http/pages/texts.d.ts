// Imported with { type: "text" }: what is in the file, in the compiled binary too.
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*script.js" {
  const text: string;
  export default text;
}
