import type { Identifier, Period, Reference, Specimen, SpecimenContainer } from '../../../packages/fhir/r4.ts'
import { readTimestamp, type Segment, type SegmentList } from '../../../packages/hl7/index.ts'
import { at } from './at.ts'
import type { Draft } from './draft.ts'
import { dateTime, periodOf } from './dt/ts.ts'
import { derivedKey } from './drafted-keys.ts'
import { identifierKey, isSameKey, keyIdentifier, keyOfPatient, keyText } from './keys.ts'
import type { Key } from './mapped.ts'
import type { ObservationAbout } from './observation-about.ts'
import { putObservations } from './observations.ts'
import type { PutPatient } from './patient.ts'
import { readSegment, type Said } from './segment-map.ts'
import { note } from './segments/nte.ts'
import { containerOf, spmToSpecimen } from './segments/spm.ts'
import { obrToSpecimen } from './segments/obr.ts'

/** The specimens of SPM groups, and the observations made of the specimens themselves. */
export function putSpecimens(groups: readonly SegmentList[], about: ObservationAbout, draft: Draft): Reference[] {
  return groups.flatMap((group, index) => {
    const spm = group.segment('SPM')
    if (spm === undefined) return []
    const said = readSegment(spmToSpecimen, spm, draft)
    const container = containerOf(spm, draft)
    if (container !== undefined) said.elements['container'] = [container]
    const comment = note(notesAfter(group.all, 'SPM'), draft)
    if (comment !== undefined) said.elements['note'] = [...((said.elements['note'] as object[]) ?? []), comment]
    addCollected(said, collectedOf(spm.part(17)?.part(1), spm.part(17)?.part(2), spm, 17, draft))
    const { key, reference } = put(said, spm, String(index), about, draft)
    const inherited = { ...about.inherited, focus: [reference] }
    putObservations(group.all, { ...about, within: key.value, inherited }, draft)
    return [reference]
  })
}

/** The specimen of an OBR without SPM: none where OBR-15 does not name one. */
export function putObrSpecimen(obr: Segment, about: ObservationAbout, draft: Draft): Reference | undefined {
  if (obr.text(15) === undefined && obr.text(15, 1, 2) === undefined) return undefined
  const said = readSegment(obrToSpecimen, obr, draft)
  if (said.elements['type'] === undefined) return undefined
  addCollected(said, collectedOf(obr.part(7), obr.part(8), obr, 7, draft))
  return put(said, obr, 'OBR', about, draft).reference
}

function put(
  { elements, deletes, removes }: Said,
  saidBy: Segment,
  position: string,
  { patient, within }: ObservationAbout,
  draft: Draft,
): { key: Key; reference: Reference } {
  const sent = (elements['identifier'] as Identifier[] | undefined) ?? []
  // The filler's number is on the tube; it comes last of the two.
  const own = sent.findLast(isSpecimenNumber) ?? (elements['accessionIdentifier'] as Identifier | undefined)
  const sentKey = own === undefined ? derivedKey(draft, 'specimen', within, position) : identifierKey(own)
  const isGivenAgain = isAnothers(sentKey, saidBy, patient, draft)
  const key = isGivenAgain ? derivedKey(draft, 'specimen', keyText(keyOfPatient(sentKey, patient.key))) : sentKey
  const numbers = isGivenAgain ? sent.filter((one) => one !== own) : sent
  const otherKeys = own === undefined ? [] : numbers.filter(isSpecimenNumber).map(identifierKey)
  const hasKey = numbers.some(({ system, value }) => system === key.system && value === key.value)
  const resource: Specimen = {
    resourceType: 'Specimen',
    ...elements,
    identifier: hasKey ? numbers : [keyIdentifier(key), ...numbers],
    subject: patient.reference,
    ...(isGivenAgain && own !== undefined ? { container: onTube(elements['container'], own) } : {}),
  }
  return {
    key,
    reference: draft.put(resource, {
      key,
      otherKeys: otherKeys.filter((one) => !isSameKey(one, key)),
      deletes,
      removes,
      saidBy,
    }),
  }
}

/** A sender that counts the tubes of each patient may tell of several patients in one message. */
function isAnothers(sentKey: Key, saidBy: Segment, patient: PutPatient, draft: Draft): boolean {
  if (!draft.isAnothers('Specimen', sentKey, patient.reference))
    return draft.isKnownAsAnothers('Specimen', sentKey, patient.key)
  draft.warn('shared-number', draft.pathOf(saidBy), 'Another patient of this message has a specimen of this number.')
  return true
}

/** A number that another patient's specimen has would find both as an identifier. On the tube it stands all the same. */
function onTube(container: unknown, number: Identifier): SpecimenContainer[] {
  // Sound: `containerOf` has made it.
  const [tube] = (container ?? []) as SpecimenContainer[]
  return [{ ...tube, identifier: [number] }]
}

const isSpecimenNumber = ({ type }: Identifier): boolean => {
  const code = type?.coding?.[0]?.code
  return code === 'PGN' || code === 'FGN'
}

/** NTEs that follow a segment at once. */
export function notesAfter(segments: readonly Segment[], name: string): Segment[] {
  const start = segments.findIndex((one) => one.name === name) + 1
  const end = segments.findIndex((one, index) => index >= start && one.name !== 'NTE')
  return segments.slice(start, end < 0 ? undefined : end)
}

type Collected = { collectedDateTime: string } | { collectedPeriod: Period }

function collectedOf(
  from: ReturnType<Segment['part']>,
  to: ReturnType<Segment['part']>,
  segment: Segment,
  field: number,
  draft: Draft,
): Collected | undefined {
  const place = at(draft, segment, field)
  const end = readTimestamp(to)
  const collectedPeriod = end === undefined ? undefined : periodOf(readTimestamp(from), end, place)
  if (collectedPeriod !== undefined) return { collectedPeriod }
  const collectedDateTime = dateTime(from, place)
  return collectedDateTime === undefined ? undefined : { collectedDateTime }
}

function addCollected({ elements }: Said, collected: Collected | undefined): void {
  if (collected !== undefined) elements['collection'] = { ...(elements['collection'] as object), ...collected }
}
