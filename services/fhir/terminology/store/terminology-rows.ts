import { turned } from '../memory-source.ts'
import type { Concept, Mapping } from '../source.ts'

export interface ConceptRow {
  readonly code: string
  readonly display: string | null
  readonly parent: string | null
}

export const conceptOf = ({ code, display, parent }: ConceptRow): Concept => ({
  code,
  display: display ?? undefined,
  parent: parent ?? undefined,
})

export type FactsRow<Facts> = Omit<Facts, 'version'> & { readonly version: string | null }

/** What is null in the database is not there in JSON. */
export const factsOf = <Row extends { readonly version: string | null }>(row: Row | undefined) =>
  row === undefined ? undefined : { ...row, version: row.version ?? undefined }

export type MappingRow = Omit<Mapping, 'display'> & { readonly display: string | null }

export const mappingFrom = (row: MappingRow): Mapping => ({ ...row, display: row.display ?? undefined })

/** From the target of the map to its source. */
export const mappingTo = (row: MappingRow): Mapping => ({
  ...row,
  display: undefined,
  equivalence: turned[row.equivalence] ?? row.equivalence,
})
