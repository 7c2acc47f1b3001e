// An import with { type: "text" } is the content of the file, in the compiled binary too.
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*script.js" {
  const text: string;
  export default text;
}
