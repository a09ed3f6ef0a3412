import type { Procedure, ProcedurePerformer } from '../../../../packages/fhir/r4.ts'
import { readNm, type Segment } from '../../../../packages/hl7/index.ts'
import { at, warnAt } from '../at.ts'
import { coding, rowOf } from '../code-map.ts'
import type { Draft } from '../draft.ts'
import { cwe } from '../dt/cwe.ts'
import { ei, eiOf } from '../dt/ei.ts'
import { pl } from '../dt/pl.ts'
import { modifiersIn, withModifiers, wordsOf } from '../dt/modifiers.ts'
import { dateTime } from '../dt/ts.ts'
import { xcn } from '../dt/xcn.ts'
import type { PutEncounter } from '../encounter.ts'
import { text } from '../extensions.ts'
import { derivedKey, numberedKey, visitOrPatient } from '../drafted-keys.ts'
import { keyIdentifier, keyText } from '../keys.ts'
import type { PutPatient } from '../patient.ts'
import { plusMinutes } from '../plus-minutes.ts'
import { readSegment, row, type Row, type SegmentMap } from '../segment-map.ts'
import { timeName } from '../time-name.ts'
import { segmentAction } from '../v/0206-segment-action.ts'
import { participationTypes } from './pv1.ts'

/** PR1 to Procedure. When it was done (5 and 7) stands below. */
export const pr1ToProcedure: SegmentMap = {
  segment: 'PR1',
  resource: 'Procedure',
  rows: [
    row(3, 'Procedure Code', 'code', cwe),
    performerRow(8, 'Anesthesiologist', 'SPRF', 'secondary performer'),
    performerRow(11, 'Surgeon', 'PPRF', 'primary performer'),
    performerRow(12, 'Procedure Practitioner', 'PPRF', 'primary performer'),
    row(15, 'Associated Diagnosis Code', 'reasonCode[]', cwe),
    row(19, 'Procedure Identifier', 'identifier[]', ei()),
    row(23, 'Procedure Location', 'location', pl),
    row(25, 'Parent Procedure ID', 'partOf[]', (part, place) => {
      const identifier = eiOf('PR1-19')(part, place)
      return identifier && { type: 'Procedure', identifier }
    }),
  ],
}

export function putProcedure(
  pr1: Segment,
  { patient, encounter }: { readonly patient: PutPatient; readonly encounter?: PutEncounter | undefined },
  draft: Draft,
): void {
  const said = readSegment(pr1ToProcedure, pr1, draft)
  const described = pr1.part(4)
  const description = described && text(described)
  const code = (said.elements['code'] as Procedure['code']) ?? (description === undefined ? undefined : {})
  if (code === undefined) {
    warnAt(at(draft, pr1, 3), 'not-kept', 'No procedure is named, so the segment was left out.')
    return
  }
  const modifiers = modifiersIn({ segment: pr1, draft }, 16, '0340')
  const named = description === undefined ? code : { ...code, text: description }
  const own = (said.elements['identifier'] as Procedure['identifier'])?.[0]
  const first = named.coding?.[0]
  // Both knees of one day are two procedures.
  const what = [
    first === undefined ? (named.text ?? '') : `${first.system}|${first.code}`,
    ...modifiers.map(wordsOf),
  ].join('|')
  const byTime = derivedKey(
    draft,
    'procedure',
    keyText(patient.key),
    what,
    timeName(pr1.part(5), draft) ?? pr1.text(1) ?? '',
  )
  const key =
    own === undefined ? byTime : numberedKey(draft, 'procedure', visitOrPatient(draft, patient, encounter), own)
  const isMistake = rowOf(segmentAction, pr1.text(20) ?? '') === 'delete'
  const resource: Omit<Procedure, 'status'> = {
    resourceType: 'Procedure',
    ...said.elements,
    identifier: [...(own === undefined ? [] : [own]), keyIdentifier(key)],
    code: withModifiers(named, modifiers, draft) ?? named,
    subject: patient.reference,
    ...(encounter === undefined ? {} : { encounter: encounter.reference }),
    ...performed(pr1, draft),
    ...(isMistake ? { status: 'entered-in-error' } : {}),
  }
  // Sound: the default gives the status that R4 demands.
  draft.put(resource as Procedure, {
    key,
    // It may have been told without its number before; without its time it is one of many.
    otherKeys: own === undefined || pr1.text(5) === undefined ? [] : [byTime],
    mode: isMistake ? 'amend' : 'upsert',
    leavesTrace: isMistake,
    defaults: { status: 'completed' },
    deletes: said.deletes,
    removes: said.removes,
    saidBy: pr1,
  })
}

/** PR1-5, and with the minutes of PR1-7 a period. */
function performed(pr1: Segment, draft: Draft): Pick<Procedure, 'performedDateTime' | 'performedPeriod'> {
  const start = dateTime(pr1.part(5), at(draft, pr1, 5))
  const minutes = readNm(pr1.part(7))
  if (start === undefined) return {}
  const end = minutes === undefined ? undefined : plusMinutes(start, Math.max(0, Number(minutes)))
  return end === undefined ? { performedDateTime: start } : { performedPeriod: { start, end } }
}

function performerRow(field: number, name: string, code: string, display: string): Row {
  return row(
    field,
    name,
    'performer[]',
    (part, place): ProcedurePerformer | undefined => {
      const actor = xcn(part, place)
      return actor && { function: { coding: [coding(participationTypes, code, display)] }, actor }
    },
    { element: 'performer', where: { 'function.coding.0.code': code } },
  )
}
