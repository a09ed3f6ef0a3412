import { createOwnersOf, createSubjectsOf } from '../../../packages/fhir/compartment.ts'
import type { Definitions } from '../../../packages/fhir/definitions.ts'
import { createExtract } from '../../../packages/fhir/search/extract.ts'
import type { IndexEntry } from '../../../packages/fhir/search/index-value.ts'
import { hash64, parameterKey, rememberedKeys, resourceKey, type Key } from './keys.ts'
import { indexKinds, type IndexKind } from './index-kinds.ts'
import type { Cell, CellDeps } from './index-cells.ts'
import { derivedRows, rowOf } from './index-row.ts'
import { sharedKinds, sharedParameters } from './shared-parameters.ts'
import { sharedSetOf, type SharedSet } from './shared-sets.ts'

/** What a resource is found by, ready to be written. */
export interface ResourceIndex {
  /** Its own rows, without the key of the resource, which comes first in every table. */
  readonly rows: Readonly<Record<IndexKind, readonly (readonly Cell[])[]>>
  /** One a kind, in the order of indexKinds. */
  readonly hashes: readonly Key[]
  /** The rows that it has in common with others of its type. */
  readonly shared: SharedSet | undefined
  /** The patients in whose compartment the resource is or, of a type that is in none, whom it is about. */
  readonly patients: readonly Key[]
}

/** How many rows it is, those that it may have in common with others among them. */
export const rowCountOf = ({ rows, shared }: Pick<ResourceIndex, 'rows' | 'shared'>): number =>
  [rows, shared?.rows ?? {}].flatMap(Object.values).reduce((sum, { length }) => sum + length, 0)

export type IndexOf = (type: string, resource: object) => ResourceIndex

interface IndexOptions {
  /** The addresses under which this server is known, without a slash at the end. */
  readonly ownBases: readonly string[]
}

/** Prepares the index rows of resources. */
export function createIndexOf(definitions: Definitions, { ownBases }: IndexOptions): IndexOf {
  const extract = createExtract(definitions)
  const ownersOf = createOwnersOf('Patient', definitions, { ownBases })
  const subjectsOf = createSubjectsOf(definitions, { ownBases })
  const deps = { ownBases, keyOf: rememberedKeys(), paramOf: rememberedParameterKeys() }
  return (type, resource) => {
    const rows = emptyRows()
    const shared = emptyRows()
    const sharedNames = sharedParameters(type)
    const rowsUnder = (name: string) => (sharedNames.has(name) ? shared : rows)
    for (const entry of extract(resource)) {
      if (!isColumn(entry.parameter.code)) addRows(type, entry, rowsUnder, deps)
    }
    const keyOfPatient = (id: string) => resourceKey('Patient', id, deps.keyOf)
    const owners = ownersOf(resource).map(keyOfPatient)
    for (const owner of owners) rows.compartments.push([owner])
    const patients = owners.length > 0 ? owners : subjectsOf(resource).map(keyOfPatient)
    return { rows, hashes: hashesOf(rows), shared: sharedSetOf(shared), patients }
  }
}

/** The same where the resource has all its rows itself. */
export function unsharedIndex(index: ResourceIndex): ResourceIndex {
  if (index.shared === undefined) return index
  const rows = { ...index.rows }
  for (const kind of sharedKinds) rows[kind] = [...rows[kind], ...index.shared.rows[kind]]
  return { ...index, rows, hashes: hashesOf(rows), shared: undefined }
}

/** A patient is in its own compartment, which is known only once its id is. */
export function ownIndex(index: ResourceIndex, type: string, id: string): ResourceIndex {
  if (type !== 'Patient') return index
  const own = resourceKey(type, id)
  if (index.patients.includes(own)) return index
  const patients = [...index.patients, own]
  const rows = { ...index.rows, compartments: patients.map((patient) => [patient]) }
  return {
    ...index,
    rows,
    patients,
    hashes: index.hashes.with(indexKinds.indexOf('compartments'), hashOf(rows.compartments)),
  }
}

const noRows: Key = '0'
const hashesOf = (rows: ResourceIndex['rows']): Key[] => indexKinds.map((kind) => hashOf(rows[kind]))
const hashOf = (rows: readonly (readonly Cell[])[]): Key => (rows.length === 0 ? noRows : hash64(JSON.stringify(rows)))

type Rows = Record<IndexKind, (readonly Cell[])[]>

const emptyRows = (): Rows => ({
  tokens: [],
  strings: [],
  dates: [],
  reference_values: [],
  quantities: [],
  uris: [],
  composites: [],
  compartments: [],
})

/** `_id` and `_lastUpdated` are columns of the resource's own row. */
const isColumn = (code: string) => code === '_id' || code === '_lastUpdated'

interface RowDeps extends CellDeps {
  readonly paramOf: (type: string, code: string) => number
}

function addRows(
  type: string,
  { parameter: { code }, values }: IndexEntry,
  rowsUnder: (name: string) => Rows,
  deps: RowDeps,
): void {
  const rows = rowsUnder(code)
  const seen = values.length > 1 ? new Set<string>() : undefined
  for (const value of values) {
    const { kind, cells } = rowOf(value, deps)
    if (kind !== undefined) addRow(rows[kind], deps.paramOf(type, code), cells, seen)
    for (const derived of derivedRows(value, deps)) {
      const name = `${code}:${derived.suffix}`
      addRow(rowsUnder(name)[derived.kind], deps.paramOf(type, name), derived.cells, undefined)
    }
  }
}

/** Numbered within their parameter, so that one more value of another leaves them the rows that they were. */
function addRow(rows: (readonly Cell[])[], param: number, cells: readonly Cell[], seen: Set<string> | undefined): void {
  if (seen !== undefined) {
    const text = cells.join('\u0000')
    if (seen.has(text)) return
    seen.add(text)
  }
  const last = rows.findLast(([of]) => of === param)
  rows.push([param, last === undefined ? 0 : Number(last[1]) + 1, ...cells])
}

/** As many as the definitions have parameters, so it cannot grow without end. */
function rememberedParameterKeys() {
  const known = new Map<string, Map<string, number>>()
  return (type: string, code: string): number => {
    let ofType = known.get(type)
    if (ofType === undefined) known.set(type, (ofType = new Map()))
    let param = ofType.get(code)
    if (param === undefined) ofType.set(code, (param = parameterKey(type, code)))
    return param
  }
}
