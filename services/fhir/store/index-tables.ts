import { sql, type Statement } from '../../../packages/sql/sql.ts'
import type { Cell } from './index-cells.ts'
import type { IndexKind } from './index-kinds.ts'
import type { Key } from './keys.ts'

/** A row and the key of its resource, which is its first column. */
export interface KeyedRow {
  readonly key: Key
  readonly cells: readonly Cell[]
}

/** The table that holds the rows of a kind. */
export const indexTable = (kind: IndexKind): Statement => tables[kind].name

/** What adds rows; they are `n` in a condition behind it. */
export function indexInsertion(kind: IndexKind, rows: readonly KeyedRow[]): Statement {
  const { name, columns } = tables[kind]
  return sql`insert into ${name} (${columns}) select ${columns} from ${given(kind, rows)}`
}

/** The same as a part of a statement: of resources that have no rows of the kind. */
export const additionPart = (kind: IndexKind, rows: readonly KeyedRow[]): Statement =>
  sql`${tables[kind].added} as (${indexInsertion(kind, rows)})`

/** What removes all rows that the resources have. */
export function removalPart(kind: IndexKind, keys: readonly Key[]): Statement {
  const { name, gone } = tables[kind]
  return sql`${gone} as (delete from ${name} where key = any (${keys}::bigint[]))`
}

/**
 * What makes these rows all that the resources have. A row that is there already is left alone: usually one value of many
 * has changed, and a row costs an entry in each of its indexes.
 */
export function differencePart(kind: IndexKind, rows: readonly KeyedRow[], keys: readonly Key[]): Statement {
  const { name, columns, id, isSame, all, gone, added } = tables[kind]
  // Nothing here is a join, whose cost the planner would guess: "offset 0" is a look-up by key for each row, and "not in"
  // a table of hashes. The parts of a statement have no order but what they need of each other: old rows go first.
  return sql`
    ${all} as (
      select n.*, exists (select from ${name} as x where ${isSame} offset 0) as is_there from ${given(kind, rows)}
    ), ${gone} as (
      delete from ${name} where key = any (${keys}::bigint[]) and (${id}) not in (select ${id} from ${all} where is_there)
      returning key
    ), ${added} as (
      insert into ${name} (${columns})
      select ${columns} from ${all} where not is_there and (select count(*) from ${gone}) >= 0
    )`
}

function given(kind: IndexKind, rows: readonly KeyedRow[]): Statement {
  const { columns, arrays } = tables[kind]
  const of: Column = (column) =>
    column === 0 ? rows.map(({ key }) => key) : rows.map(({ cells }) => cells[column - 1] ?? null)
  return sql`unnest(${arrays(of)}) as n (${columns})`
}

/** The values of one column over all rows. */
type Column = (column: number) => Cell[]

interface IndexTable {
  readonly name: Statement
  readonly columns: Statement
  /** The columns of the primary key. */
  readonly id: Statement
  /** The row `x` of the table is the row `n`. Values by "distinct": no index but the primary key's serves that. */
  readonly isSame: Statement
  /** One array a column. */
  readonly arrays: (of: Column) => Statement
  /** What the parts of a difference are called. */
  readonly all: Statement
  readonly gone: Statement
  readonly added: Statement
}

const id = sql`key, param, seq`
const hasSameId = sql`x.key = n.key and x.param = n.param and x.seq = n.seq`

const tables: Readonly<Record<IndexKind, IndexTable>> = {
  tokens: {
    name: sql`fhir.tokens`,
    columns: sql`key, param, seq, system, code, text`,
    id,
    isSame: sql`${hasSameId} and (x.system, x.code, x.text) is not distinct from (n.system, n.code, n.text)`,
    arrays: (of) => sql`
      ${of(0)}::bigint[], ${of(1)}::integer[], ${of(2)}::integer[], ${of(3)}::bigint[], ${of(4)}::text[], ${of(5)}::text[]`,
    ...{ all: sql`all_tokens`, gone: sql`old_tokens`, added: sql`new_tokens` },
  },
  strings: {
    name: sql`fhir.strings`,
    columns: sql`key, param, seq, folded, text`,
    id,
    isSame: sql`${hasSameId} and (x.folded, x.text) is not distinct from (n.folded, n.text)`,
    arrays: (of) => sql`
      ${of(0)}::bigint[], ${of(1)}::integer[], ${of(2)}::integer[], ${of(3)}::text[], ${of(4)}::text[]`,
    ...{ all: sql`all_strings`, gone: sql`old_strings`, added: sql`new_strings` },
  },
  dates: {
    name: sql`fhir.dates`,
    columns: sql`key, param, seq, low, high`,
    id,
    isSame: sql`${hasSameId} and (x.low, x.high) is not distinct from (n.low, n.high)`,
    arrays: (of) => sql`
      ${of(0)}::bigint[], ${of(1)}::integer[], ${of(2)}::integer[], ${of(3)}::bigint[], ${of(4)}::bigint[]`,
    ...{ all: sql`all_dates`, gone: sql`old_dates`, added: sql`new_dates` },
  },
  reference_values: {
    name: sql`fhir.reference_values`,
    columns: sql`key, param, seq, target`,
    id,
    isSame: sql`${hasSameId} and x.target is not distinct from n.target`,
    arrays: (of) => sql`${of(0)}::bigint[], ${of(1)}::integer[], ${of(2)}::integer[], ${of(3)}::bigint[]`,
    ...{ all: sql`all_references`, gone: sql`old_references`, added: sql`new_references` },
  },
  quantities: {
    name: sql`fhir.quantities`,
    columns: sql`key, param, seq, value, low, high, system, code, unit`,
    id,
    isSame: sql`${hasSameId} and (x.value, x.low, x.high, x.system, x.code, x.unit)
      is not distinct from (n.value, n.low, n.high, n.system, n.code, n.unit)`,
    arrays: (of) => sql`
      ${of(0)}::bigint[], ${of(1)}::integer[], ${of(2)}::integer[],
      ${of(3)}::double precision[], ${of(4)}::double precision[], ${of(5)}::double precision[],
      ${of(6)}::bigint[], ${of(7)}::text[], ${of(8)}::text[]`,
    ...{ all: sql`all_quantities`, gone: sql`old_quantities`, added: sql`new_quantities` },
  },
  uris: {
    name: sql`fhir.uris`,
    columns: sql`key, param, seq, uri`,
    id,
    isSame: sql`${hasSameId} and x.uri is not distinct from n.uri`,
    arrays: (of) => sql`${of(0)}::bigint[], ${of(1)}::integer[], ${of(2)}::integer[], ${of(3)}::text[]`,
    ...{ all: sql`all_uris`, gone: sql`old_uris`, added: sql`new_uris` },
  },
  composites: {
    name: sql`fhir.composites`,
    columns: sql`key, param, seq, system_1, text_1, low_1, high_1, system_2, text_2, low_2, high_2,
      system_3, text_3, low_3, high_3`,
    id,
    isSame: sql`${hasSameId}
      and (x.system_1, x.text_1, x.low_1, x.high_1) is not distinct from (n.system_1, n.text_1, n.low_1, n.high_1)
      and (x.system_2, x.text_2, x.low_2, x.high_2) is not distinct from (n.system_2, n.text_2, n.low_2, n.high_2)
      and (x.system_3, x.text_3, x.low_3, x.high_3) is not distinct from (n.system_3, n.text_3, n.low_3, n.high_3)`,
    arrays: (of) => sql`
      ${of(0)}::bigint[], ${of(1)}::integer[], ${of(2)}::integer[],
      ${of(3)}::bigint[], ${of(4)}::text[], ${of(5)}::double precision[], ${of(6)}::double precision[],
      ${of(7)}::bigint[], ${of(8)}::text[], ${of(9)}::double precision[], ${of(10)}::double precision[],
      ${of(11)}::bigint[], ${of(12)}::text[], ${of(13)}::double precision[], ${of(14)}::double precision[]`,
    ...{ all: sql`all_composites`, gone: sql`old_composites`, added: sql`new_composites` },
  },
  compartments: {
    name: sql`fhir.compartments`,
    columns: sql`key, patient`,
    id: sql`key, patient`,
    isSame: sql`x.key = n.key and x.patient = n.patient`,
    arrays: (of) => sql`${of(0)}::bigint[], ${of(1)}::bigint[]`,
    ...{ all: sql`all_compartments`, gone: sql`old_compartments`, added: sql`new_compartments` },
  },
}
