// Imported with { type: "file" }: the path at which the file can be read, in the compiled binary too.
declare module "*.bin" {
  const path: string;
  export default path;
}
