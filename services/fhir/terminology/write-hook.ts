import { Fault } from '../../../packages/faults/fault.ts'
import type { CodeSystem, ConceptMap, ValueSet } from '../../../packages/fhir/r4.ts'
import type { Transaction } from '../../../packages/sql/queryable.ts'
import type { WriteHook, WrittenResource } from '../store/write.ts'
import { readCodeSystem, readConceptMap, readValueSet } from './read-resource.ts'
import type { TerminologySource } from './source.ts'
import { forgetStored, markStored } from './store/stored-resources.ts'
import { saveCodeSystem, saveConceptMap, saveValueSet } from './store/save-terminology.ts'

/**
 * A CodeSystem, ValueSet or ConceptMap that is written to the record is answered from, like one that was loaded. What
 * comes with Corridor cannot be replaced in this way: that takes an operator, not a token.
 */
export function indexTerminology(shipped: TerminologySource, now: () => Date): WriteHook {
  return async (written, tx) => {
    for (const one of written.filter(({ type }) => isTerminology(type))) {
      await forgetStored(one.type, one.id, tx)
      if (one.resource !== undefined && !(await isShipped(one, shipped))) await keep(one, now(), tx)
    }
    return []
  }
}

const isTerminology = (type: string) => type === 'CodeSystem' || type === 'ValueSet' || type === 'ConceptMap'

async function keep({ type, id, resource }: WrittenResource, now: Date, tx: Transaction): Promise<void> {
  const save = saving(type, resource)
  if (save === undefined) return
  await save.into(tx, now)
  await markStored(save.url, id, tx)
}

/** None for what has no address, or is made in a way that is not understood: it is kept as any other resource is. */
function saving(type: string, resource: unknown) {
  try {
    if (type === 'CodeSystem') {
      const system = readCodeSystem(resource as CodeSystem)
      return { url: system.url, into: (tx: Transaction, now: Date) => saveCodeSystem(system, now, tx) }
    }
    if (type === 'ValueSet') {
      const { valueSet } = readValueSet(resource as ValueSet)
      return { url: valueSet.url, into: (tx: Transaction, now: Date) => saveValueSet(valueSet, now, tx) }
    }
    const map = readConceptMap(resource as ConceptMap)
    return { url: map.url, into: (tx: Transaction, now: Date) => saveConceptMap(map, now, tx) }
  } catch (error) {
    if (error instanceof Fault && error.kind === 'incorrect') return undefined
    throw error
  }
}

async function isShipped({ type, resource }: WrittenResource, shipped: TerminologySource): Promise<boolean> {
  const { url } = resource as { url?: string }
  if (url === undefined) return false
  return (type === 'ValueSet' ? await shipped.valueSet(url) : await shipped.codeSystem(url)) !== undefined
}
