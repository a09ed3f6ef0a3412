/** R4 section 3.1.1.3.2: what parts values of a search is escaped where it belongs to one. */
export const searchText = (text: string): string => text.replaceAll(/[\\$,|]/g, String.raw`\$&`)
