import type { SoughtIdentifier } from './fhir-store.ts'
import { searchText } from './search-text.ts'

/** Nobody who asks for one resource needs to know more than that there are many. */
export const matchesPerIdentifierMax = 10

/** `system|value` as a search takes it. */
export const identifierToken = ({ system, value }: SoughtIdentifier): string =>
  system === undefined ? searchText(value) : `${searchText(system)}|${searchText(value)}`
