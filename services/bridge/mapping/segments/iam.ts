import type { AllergyIntolerance } from '../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import { concept, mapCode, rowOf } from '../code-map.ts'
import type { Draft } from '../draft.ts'
import { ei } from '../dt/ei.ts'
import { dateTime } from '../dt/ts.ts'
import { xcn } from '../dt/xcn.ts'
import { numberedKey } from '../drafted-keys.ts'
import { keyIdentifier, keyText } from '../keys.ts'
import type { ItemRemoval, Key } from '../mapped.ts'
import { text } from '../extensions.ts'
import type { PutPatient } from '../patient.ts'
import { dateRow, readSegment, row, type Said, type SegmentMap } from '../segment-map.ts'
import { segmentAction } from '../v/0206-segment-action.ts'
import { allergyClinicalStatus } from '../v/0438-allergy-clinical-status.ts'
import { al1ToAllergyIntolerance, allergyDefaults, allergyKey, substanceKey, withdrawnBy } from './al1.ts'

/** IAM to AllergyIntolerance: AL1 with an identity, an action and a history. */
export const iamToAllergyIntolerance: SegmentMap = {
  segment: 'IAM',
  resource: 'AllergyIntolerance',
  rows: [
    ...al1ToAllergyIntolerance.rows.filter(({ field }) => field <= 5),
    dateRow(11, 'Onset Date', 'onsetDateTime', dateTime),
    row(12, 'Onset Date Text', 'onsetString', text),
    dateRow(13, 'Reported Date/Time', 'recordedDate', dateTime),
    row(14, 'Reported By', 'asserter', (part) => {
      const display = [part.text(2), part.text(1)].filter((name) => name !== undefined).join(' ')
      return display === '' ? undefined : { display }
    }),
    row(18, 'Statused by Person', 'recorder', xcn),
  ],
}

/** IAM-6: A and U say it, D takes it back, X says nothing. */
export function putAllergyAction(iam: Segment, patient: PutPatient, draft: Draft): void {
  const action = rowOf(segmentAction, iam.text(6) ?? 'A') ?? 'add'
  if (action === 'nothing') return
  const said = readSegment(iamToAllergyIntolerance, iam, draft)
  sayOneOnset(said)
  const own = ei()(iam.part(7), at(draft, iam, 7))
  const key =
    own === undefined ? allergyKey(iam, said, patient, draft) : numberedKey(draft, 'allergy', patient.key, own)
  if (key === undefined) return
  const isDeleted = action === 'delete'
  // What is deleted by its number must be known by it: there may be another entry of the substance, and a warning too few.
  const bySubstance = own === undefined || isDeleted ? [] : freeSubstance(said, patient, draft)
  const status = isDeleted ? rowOf(allergyClinicalStatus, 'E') : statusOf(iam, draft)
  const resource: AllergyIntolerance = {
    resourceType: 'AllergyIntolerance',
    identifier: [...(own === undefined ? [] : [own]), ...[key, ...bySubstance].map(keyIdentifier)],
    patient: patient.reference,
    ...said.elements,
    ...(status === undefined ? {} : statusElements(status)),
  }
  const isMistake = status?.verification === 'entered-in-error'
  draft.put(resource, {
    key,
    otherKeys: bySubstance,
    mode: isDeleted ? 'amend' : 'upsert',
    leavesTrace: isDeleted,
    defaults: isMistake ? {} : allergyDefaults,
    deletes: [...said.deletes, ...withdrawnBy(iam), ...(isMistake ? ['clinicalStatus'] : [])],
    // The number may be that of another substance now.
    removes: bySubstance.length === 0 ? said.removes : [...said.removes, made(key)],
    saidBy: iam,
  })
}

/** IAM-11 and IAM-12 are one element: the date, and the text where there is none that can be read. */
function sayOneOnset({ elements, deletes }: Said): void {
  if (elements['onsetDateTime'] !== undefined) delete elements['onsetString']
  else if (elements['onsetString'] !== undefined) {
    delete elements['_onsetDateTime']
    deletes.push('_onsetDateTime')
  } else if (elements['_onsetDateTime'] !== undefined) deletes.push('onsetString')
}

/**
 * An allergy that has a number here is told without one in AL1, before or after: it is one allergy, found by its substance, too.
 * None where the message has told of the substance: of two allergies it would find both.
 */
function freeSubstance(said: Said, patient: PutPatient, draft: Draft): readonly Key[] {
  const key = substanceKey(said, patient, draft)
  if (key === undefined || draft.isSaid('AllergyIntolerance', key)) return []
  return draft.countOf(`allergy ${keyText(key)}`) === 0 ? [key] : []
}

/** All that was made for such a key. */
const made = ({ system }: Key): ItemRemoval => ({ element: 'identifier', where: { system } })

type AllergyStatus = NonNullable<(typeof allergyClinicalStatus.rows)[string]>

const statusOf = (iam: Segment, draft: Draft): AllergyStatus | undefined =>
  mapCode(allergyClinicalStatus, iam.text(17), at(draft, iam, 17))

function statusElements({ verification, clinical }: AllergyStatus): Partial<AllergyIntolerance> {
  const systems = 'http://terminology.hl7.org/CodeSystem/allergyintolerance'
  return {
    verificationStatus: concept(`${systems}-verification`, verification),
    ...(clinical === undefined ? {} : { clinicalStatus: concept(`${systems}-clinical`, clinical) }),
  }
}
