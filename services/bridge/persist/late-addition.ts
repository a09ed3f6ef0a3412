import type { FhirResource, Reference } from '../../../packages/fhir/r4.ts'
import { compact } from '../mapping/compact.ts'
import { isOrdered } from '../mapping/dt/ts.ts'
import { deleteElement, listOf, type Node } from '../mapping/element-path.ts'
import { endOfVisit } from '../mapping/ended-visit.ts'
import { resultOfForm } from '../mapping/forms-of-results.ts'
import type { Write } from '../mapping/mapped.ts'
import { toldAnew } from '../mapping/observation.ts'
import { unknownDrug } from '../mapping/prescription-order.ts'
import { isReplacementMark } from '../mapping/replacement-mark.ts'
import { isSameJson } from '../mapping/same-json.ts'
import { courseOf, type Parts } from './course-of-visit.ts'
import { identifiersOf } from './identifiers-of.ts'
import { referenceTo, type Stored } from './stored.ts'
import { takeAwayAgain } from './taken-away.ts'

/** References to what was entered in error. */
type TakenBack = ReadonlySet<string | undefined>

/** Of what is stored, what was taken back: a late message does not bring such a result into its report again. */
export const takenBackIn = (stored: Stored): TakenBack =>
  new Set([...stored.values()].filter((one) => 'status' in one && one.status === 'entered-in-error').map(referenceTo))

/**
 * What an older message still may do: say what nobody has said since. What a later one took away nobody has left unsaid,
 * and what a result says of its value goes with the value. References must be settled before.
 * @param told of a visit, what nothing newer has spoken of: it happened, though the message comes late
 */
export function asAddition(
  write: Write,
  current: FhirResource,
  { takenBack, told, base }: { readonly takenBack: TakenBack; readonly told: Parts; readonly base: string },
): Write {
  const { resourceType, ...said } = write.resource
  const { isMention = false, ...whole } = write
  // Of a patient who is only mentioned, nothing else may be added either.
  const isOfMentioned = isMention && resourceType === 'Patient'
  const added: Node = { ...(isOfMentioned ? {} : write.defaults), ...(said as object) }
  for (const path of [...notAdded(current), ...listsOf(current)]) deleteElement(added, path)
  takeAwayAgain(added, current, base)
  return {
    ...(isOfMentioned ? whole : write),
    // Sound: a resource that says nothing of itself but the lists that it joins; the rest is among the defaults.
    resource: {
      ...{ resourceType, ...joined(said, current, takenBack) },
      ...{ ...drugOf(said, current), ...contentOf(said, current), ...marksOf(write.resource, current) },
      ...mergesOf(write.resource),
      ...stayOf(added, courseOf(said, told), current),
    } as FhirResource,
    defaults: added,
    deletes: told.has('status') ? write.deletes.filter(isOfEnd) : [],
    removes: write.removes.filter(({ element }) => element === 'location' && told.has(element)),
    isAddition: true,
  }
}

/** What is known of the times of a visit and of the stay is joined part by part. */
function stayOf(added: Node, course: Node, current: FhirResource): Node {
  if (current.resourceType !== 'Encounter') return {}
  const [period, hospitalization] = (['period', 'hospitalization'] as const).map((name) => {
    const [further, there, told] = [added[name] ?? {}, current[name] ?? {}, course[name] ?? {}]
    const missing = Object.entries(further).filter(([member]) => !Object.hasOwn(there, member))
    return { ...Object.fromEntries(missing), ...told }
  })
  const isInOrder = isOrdered({ ...current.period, ...period })
  const stay = {
    period: isInOrder ? compact<Node>(period ?? {}) : undefined,
    hospitalization: compact<Node>(hospitalization ?? {}),
  }
  return compact<Node>({ ...course, ...stay }) ?? {}
}

/** What says that a visit is over. */
const isOfEnd = (path: string): boolean => endOfVisit.some((one) => one === path)

/** A prescription that was called off by its number alone got a drug that nobody had told. */
function drugOf(said: Node, current: FhirResource): Node {
  if (current.resourceType !== 'MedicationRequest') return {}
  if (!isSameJson(current.medicationCodeableConcept, unknownDrug)) return {}
  return Object.fromEntries(Object.entries(said).filter(([name]) => name.startsWith('medication')))
}

/** A document that was only told of (a status, a withdrawal) has a title in the place of the content that nobody had told. */
function contentOf({ content }: Node, current: FhirResource): Node {
  if (current.resourceType !== 'DocumentReference' || content === undefined) return {}
  return current.content.some(({ attachment: { data, url } }) => (data ?? url) !== undefined) ? {} : { content }
}

/** What replaces another document is found by that, also where something else was told of it first. */
function marksOf(said: FhirResource, current: FhirResource): Node {
  if (current.resourceType !== 'DocumentReference' || current.relatesTo !== undefined) return {}
  const identifier = identifiersOf(said).filter(isReplacementMark)
  return identifier.length === 0 ? {} : { identifier }
}

/** Whose place a record has taken (A40), whatever was said of it since. */
function mergesOf(said: FhirResource): Node {
  const link = said.resourceType === 'Patient' ? (said.link ?? []).filter(({ type }) => type === 'replaces') : []
  return link.length === 0 ? {} : { link }
}

function notAdded(current: FhirResource): readonly string[] {
  if (current.resourceType === 'Observation') return toldAnew
  if (current.resourceType === 'DiagnosticReport') return files
  if (current.resourceType === 'Appointment') return slots
  // Who was discharged and is here again was not discharged as the older message has it.
  return current.resourceType === 'Encounter' && current.status !== 'finished' ? endOfVisit : []
}

/** A file is the value of its result, and comes with one that nobody has told since. */
const files: readonly string[] = ['presentedForm']

/** Whom an appointment needs, and when, was said since: it took the slots of that. */
const slots: readonly string[] = ['slot']

/** Lists to which every message adds its own: a result that comes late belongs to its report all the same. */
const joins: Readonly<Record<string, readonly string[]>> = {
  DiagnosticReport: ['result', 'specimen', 'basedOn'],
  Observation: ['hasMember'],
  ServiceRequest: ['specimen', 'supportingInfo', 'reasonReference'],
}

const listsOf = ({ resourceType }: FhirResource): readonly string[] => joins[resourceType] ?? []

function joined(said: Node, current: FhirResource, takenBack: TakenBack): Node {
  const lists: Node = {}
  for (const element of listsOf(current)) {
    const there = listOf(current as unknown as Node, element)
    const known = new Set(there.map(({ reference }) => reference))
    const isNew = ({ reference }: Reference) => !known.has(reference) && !takenBack.has(reference)
    const further = listOf(said, element).filter(isNew)
    if (further.length > 0) lists[element] = [...there, ...further]
    if (element === 'result') Object.assign(lists, filesOf(further, said, current))
  }
  return lists
}

function filesOf(results: readonly Node[], said: Node, current: FhirResource): Node {
  // A report that was cancelled since presents nothing.
  if ('status' in current && current.status === 'cancelled') return {}
  const further = new Set(results.map(({ reference }) => reference))
  const brought = listOf(said, 'presentedForm').filter((file) => further.has(resultOfForm(file)))
  return brought.length === 0
    ? {}
    : { presentedForm: [...listOf(current as unknown as Node, 'presentedForm'), ...brought] }
}
