import type { SoughtIdentifier } from './fhir-store.ts'

/** Nobody who asks for one resource needs to know more than that there are many. */
export const matchesPerIdentifierMax = 10

/** `system|value` as a search takes it. */
export const identifierToken = ({ system, value }: SoughtIdentifier): string =>
  system === undefined ? escaped(value) : `${escaped(system)}|${escaped(value)}`

/** R4 section 3.1.1.3.2: what parts values of a search is escaped where it belongs to one. */
const escaped = (text: string) => text.replaceAll(/[\\$,|]/g, String.raw`\$&`)
