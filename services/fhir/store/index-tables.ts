import { sql, type Statement } from '../../../packages/sql/sql.ts'
import type { Cell } from './index-cells.ts'
import type { IndexKind } from './index-kinds.ts'
import type { Key } from './keys.ts'

/** A row and the key of its resource, which is its first column. */
export interface KeyedRow {
  readonly key: Key
  readonly cells: readonly Cell[]
}

/** What removes the rows of these resources; it gives their keys. */
export const indexRemoval = (kind: IndexKind, keys: readonly Key[]): Statement => deletes[kind](keys)

/** What adds rows. */
export const indexAddition = (kind: IndexKind, rows: readonly KeyedRow[]): Statement =>
  inserts[kind]((column) =>
    column === 0 ? rows.map(({ key }) => key) : rows.map(({ cells }) => cells[column - 1] ?? null),
  )

const deletes: Readonly<Record<IndexKind, (keys: readonly Key[]) => Statement>> = {
  tokens: (keys) => sql`delete from fhir.tokens where key = any (${keys}::bigint[]) returning key`,
  strings: (keys) => sql`delete from fhir.strings where key = any (${keys}::bigint[]) returning key`,
  dates: (keys) => sql`delete from fhir.dates where key = any (${keys}::bigint[]) returning key`,
  reference_values: (keys) => sql`delete from fhir.reference_values where key = any (${keys}::bigint[]) returning key`,
  quantities: (keys) => sql`delete from fhir.quantities where key = any (${keys}::bigint[]) returning key`,
  uris: (keys) => sql`delete from fhir.uris where key = any (${keys}::bigint[]) returning key`,
  composites: (keys) => sql`delete from fhir.composites where key = any (${keys}::bigint[]) returning key`,
  compartments: (keys) => sql`delete from fhir.compartments where key = any (${keys}::bigint[]) returning key`,
}

/** The values of one column over all rows. */
type Column = (column: number) => Cell[]

const inserts: Readonly<Record<IndexKind, (column: Column) => Statement>> = {
  tokens: (of) => sql`
    insert into fhir.tokens (key, param, seq, system, code, text)
    select * from unnest(${of(0)}::bigint[], ${of(1)}::integer[], ${of(2)}::integer[],
                         ${of(3)}::bigint[], ${of(4)}::text[], ${of(5)}::text[])`,
  strings: (of) => sql`
    insert into fhir.strings (key, param, seq, folded, text)
    select * from unnest(${of(0)}::bigint[], ${of(1)}::integer[], ${of(2)}::integer[], ${of(3)}::text[], ${of(4)}::text[])`,
  dates: (of) => sql`
    insert into fhir.dates (key, param, seq, low, high)
    select * from unnest(${of(0)}::bigint[], ${of(1)}::integer[], ${of(2)}::integer[],
                         ${of(3)}::bigint[], ${of(4)}::bigint[])`,
  reference_values: (of) => sql`
    insert into fhir.reference_values (key, param, seq, target)
    select * from unnest(${of(0)}::bigint[], ${of(1)}::integer[], ${of(2)}::integer[], ${of(3)}::bigint[])`,
  quantities: (of) => sql`
    insert into fhir.quantities (key, param, seq, value, low, high, system, code, unit)
    select * from unnest(${of(0)}::bigint[], ${of(1)}::integer[], ${of(2)}::integer[],
                         ${of(3)}::double precision[], ${of(4)}::double precision[], ${of(5)}::double precision[],
                         ${of(6)}::bigint[], ${of(7)}::text[], ${of(8)}::text[])`,
  uris: (of) => sql`
    insert into fhir.uris (key, param, seq, uri)
    select * from unnest(${of(0)}::bigint[], ${of(1)}::integer[], ${of(2)}::integer[], ${of(3)}::text[])`,
  composites: (of) => sql`
    insert into fhir.composites (key, param, seq, system_1, text_1, low_1, high_1, system_2, text_2, low_2, high_2,
                                 system_3, text_3, low_3, high_3)
    select * from unnest(${of(0)}::bigint[], ${of(1)}::integer[], ${of(2)}::integer[],
      ${of(3)}::bigint[], ${of(4)}::text[], ${of(5)}::double precision[], ${of(6)}::double precision[],
      ${of(7)}::bigint[], ${of(8)}::text[], ${of(9)}::double precision[], ${of(10)}::double precision[],
      ${of(11)}::bigint[], ${of(12)}::text[], ${of(13)}::double precision[], ${of(14)}::double precision[])`,
  compartments: (of) => sql`
    insert into fhir.compartments (key, patient) select * from unnest(${of(0)}::bigint[], ${of(1)}::bigint[])`,
}
