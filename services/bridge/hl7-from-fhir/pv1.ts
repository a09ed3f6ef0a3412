import type { Encounter } from '../../../packages/fhir/r4.ts'
import { repeated, type FieldValue } from '../../../packages/hl7/index.ts'
import { patientClass } from '../mapping/v/0004-patient-class.ts'
import { codeIn } from './dt/coded.ts'
import { cx, identifierOf } from './dt/identifiers.ts'
import { pl, xcn } from './dt/references.ts'
import { hl7Time } from './dt/times.ts'
import type { WriterDeps, WrittenSegment } from './written-segment.ts'

/** PV1 of an Encounter. Without one: class N, not applicable, as messages about a person have it. */
export function pv1From(encounter: Encounter | undefined, deps: WriterDeps): WrittenSegment {
  if (encounter === undefined) return { name: 'PV1', fields: { 1: 1, 2: 'N' } }
  const { hospitalization, identifier = [], period, serviceType } = encounter
  const visit = identifierOf(identifier, 'VN') ?? identifier[0]
  return {
    name: 'PV1',
    fields: {
      1: 1,
      2: classCode(encounter),
      3: pl(placeWith(encounter, 'active') ?? placeWith(encounter, undefined), deps),
      4: codeIn(encounter.type?.[0], '0007'),
      6: pl(placeWith(encounter, 'completed'), deps),
      7: participants(encounter, 'ATND', deps),
      8: participants(encounter, 'REF', deps),
      9: participants(encounter, 'CON', deps),
      10: codeIn(serviceType, '0069') ?? serviceType?.coding?.[0]?.code,
      14: codeIn(hospitalization?.admitSource, '0023'),
      17: participants(encounter, 'ADM', deps),
      19: visit === undefined ? undefined : cx(visit, deps.authorities),
      36: codeIn(hospitalization?.dischargeDisposition, '0112'),
      44: hl7Time(period?.start),
      45: hl7Time(period?.end),
    },
  }
}

function classCode({ class: { code } }: Encounter): string {
  const row = Object.entries(patientClass.rows).find(([, to]) => to.code === code)
  return row?.[0] ?? 'U'
}

const placeWith = ({ location }: Encounter, status: string | undefined) =>
  location?.find((one) => one.status === status)?.location

function participants({ participant = [] }: Encounter, code: string, deps: WriterDeps): FieldValue {
  const isMeant = (codes: Encounter['participant']) =>
    (codes ?? []).filter(({ type }) => type?.some(({ coding }) => coding?.some((one) => one.code === code)) === true)
  const people = isMeant(participant)
    .map(({ individual }) => xcn(individual, deps))
    .filter((person) => person !== undefined)
  return people.length === 0 ? undefined : repeated(...people)
}
