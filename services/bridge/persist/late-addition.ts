import type { FhirResource, Reference } from '../../../packages/fhir/r4.ts'
import { isAnotherPerson } from '../mapping/another-person.ts'
import { deleteElement, listOf, type Node } from '../mapping/element-path.ts'
import { endOfVisit } from '../mapping/ended-visit.ts'
import type { Write } from '../mapping/mapped.ts'
import { toldAnew } from '../mapping/observation.ts'
import type { Stored } from './find-stored.ts'
import { takeAwayAgain } from './taken-away.ts'

/**
 * What an older message still may do: say what nobody has said since. What a later one took away nobody has left unsaid,
 * and what a result says of its value goes with the value. References must be settled before.
 */
export function asAddition(write: Write, current: FhirResource, stored: Stored, base: string): Write {
  const { resourceType, ...said } = write.resource
  const isOfAnother = isAnotherPerson(write.resource, current)
  const added: Node = isOfAnother ? {} : { ...(write.defaults as object), ...(said as object) }
  for (const path of notAdded(current)) deleteElement(added, path)
  takeAwayAgain(added, current, base)
  return {
    ...write,
    // Sound: a resource that says nothing of itself but the lists that it joins; the rest is among the defaults.
    resource: { resourceType, ...joined(said, current, stored) } as FhirResource,
    defaults: added,
    deletes: [],
    removes: [],
    isAddition: true,
  }
}

function notAdded(current: FhirResource): readonly string[] {
  if (current.resourceType === 'Observation') return toldAnew
  // Who was discharged and is here again was not discharged as the older message has it.
  return current.resourceType === 'Encounter' && current.status !== 'finished' ? endOfVisit : []
}

/** Lists to which every message adds its own: a result that comes late belongs to its report all the same. */
const joins: Readonly<Record<string, readonly string[]>> = {
  DiagnosticReport: ['result', 'specimen', 'basedOn'],
  Observation: ['hasMember'],
  ServiceRequest: ['specimen', 'supportingInfo', 'reasonReference'],
}

function joined(said: Node, current: FhirResource, stored: Stored): Node {
  const lists: Node = {}
  for (const element of joins[current.resourceType] ?? []) {
    const there = listOf(current as unknown as Node, element)
    const known = new Set(there.map(({ reference }) => reference))
    const isNew = ({ reference }: Reference) => !known.has(reference) && !isTakenBack(reference, stored)
    const further = listOf(said, element).filter(isNew)
    if (further.length > 0) lists[element] = [...there, ...further]
  }
  return lists
}

/** A result that was taken back has left its report. */
const isTakenBack = (reference: string | undefined, stored: Stored): boolean =>
  [...stored.values()].some(
    (one) => `${one.resourceType}/${one.id}` === reference && 'status' in one && one.status === 'entered-in-error',
  )
