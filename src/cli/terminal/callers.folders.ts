/** The variable that tells a command in a sandbox how its caller calls the folders of its files, as JSON. */
export const callersFolders = "GATEHOUSE_CALLERS_FOLDERS";
