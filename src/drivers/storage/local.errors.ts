import { errorCode } from "../../core/error.code.ts";
import { StorageUnavailable } from "./index.ts";

const words: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EACCES: "this process may not read and write there",
  EPERM: "this process may not read and write there",
  EIO: "the disk reports an input/output error",
  ESTALE: "the network file system lost it",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ENOENT: "the folder was removed",
  ENOTDIR: "a file or a link stands where a folder belongs",
  EEXIST: "a file or a link stands where a folder belongs",
};

/** Turns an error that the operator can do something about into StorageUnavailable in plain words. Any other error stays as it is. */
export function translate(disk: string, folder: string, error: unknown): unknown {
  const why = words[errorCode(error)];
  return why === undefined ? error : new StorageUnavailable(`storage disk "${disk}" (${folder}): ${why}`, error);
}
