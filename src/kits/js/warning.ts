/** Tells who develops or runs an app what they have to know: a kit has no log but the console of the app. */
export const warn = (text: string): void => console.warn(`gatehouse: ${text}`);
