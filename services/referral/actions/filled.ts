/** A form sends its empty fields along: they say nothing, and must not take the place of what was said before. */
export const filled = (given: string | null): string | null => (given === null || given.trim() === '' ? null : given)
