import type { SearchParameters } from './fhir-store.ts'

/** The query of an address, without the question mark. */
export function queryOf(parameters: SearchParameters): string {
  const query = new URLSearchParams()
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of typeof values === 'string' ? [values] : values) query.append(name, value)
  }
  return query.toString()
}
