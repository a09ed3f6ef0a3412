/** A text as part of a search value: `,`, `|`, `$` and the backslash have a meaning there. */
export const escapeSearchValue = (text: string): string => text.replace(/[\\,|$]/g, String.raw`\$&`)
