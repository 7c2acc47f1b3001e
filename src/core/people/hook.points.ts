/** The moments at which a program of the operator is asked. */
export const hookPoints = ["before.register", "before.sign-in", "before.token"] as const;
export type HookPoint = (typeof hookPoints)[number];

export const isHookPoint = (text: string): text is HookPoint => hookPoints.some((point) => point === text);
