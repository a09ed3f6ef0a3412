import { Fault } from '../../../packages/faults/fault.ts'
import type { CodeSystem, ConceptMap, ValueSet } from '../../../packages/fhir/r4.ts'
import { tellNotices } from '../../../packages/sql/notices.ts'
import type { Transaction } from '../../../packages/sql/queryable.ts'
import type { WriteHook, WrittenResource } from '../store/write-deps.ts'
import { readCodeSystem, readConceptMap, readValueSet } from './read-resource.ts'
import {
  forgetRecorded,
  recordCodeSystem,
  recordConceptMap,
  recordValueSet,
  type RecordedAs,
} from './store/save-recorded.ts'

/**
 * A CodeSystem, ValueSet or ConceptMap that is written to the record is answered from, like one that was loaded. Under
 * the address of what comes with Corridor or was loaded it is not seen: to replace that takes an operator, not a token.
 */
export function indexTerminology(now: () => Date): WriteHook {
  return async (written, tx) => {
    const terms = written.filter(({ type }) => isTerminology(type))
    for (const { type, id, resource } of terms) {
      await forgetRecorded(type, id, tx)
      if (resource !== undefined) await saving(type, resource)?.({ type, id, now: now() }, tx)
    }
    if (terms.length === 0) return []
    const references = terms.map(({ type, id }) => `${type}/${id}`)
    return [tellNotices('corridor_terminology', references)]
  }
}

const isTerminology = (type: string) => type === 'CodeSystem' || type === 'ValueSet' || type === 'ConceptMap'

type Save = (as: RecordedAs, tx: Transaction) => Promise<void>

/** None for what has no address, or is made in a way that is not understood: it is kept as any other resource is. */
function saving(type: string, resource: NonNullable<WrittenResource['resource']>): Save | undefined {
  try {
    if (type === 'CodeSystem') {
      const system = readCodeSystem(resource as CodeSystem)
      return (as, tx) => recordCodeSystem(system, as, tx)
    }
    if (type === 'ValueSet') {
      const { valueSet } = readValueSet(resource as ValueSet)
      return (as, tx) => recordValueSet(valueSet, as, tx)
    }
    const map = readConceptMap(resource as ConceptMap)
    return (as, tx) => recordConceptMap(map, as, tx)
  } catch (error) {
    if (error instanceof Fault && error.kind === 'incorrect') return undefined
    throw error
  }
}
