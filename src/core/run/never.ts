/** Never settles: what a superseded process is still waiting for will not come. */
export const never = () => new Promise<never>(() => {});
