/** Part of every task's identity: any change that alters a task needs a new one. */
export const generatorVersion = '1.0.1';
