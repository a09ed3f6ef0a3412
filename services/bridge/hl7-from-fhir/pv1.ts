import type { Encounter, EncounterLocation } from '../../../packages/fhir/r4.ts'
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
  const { assigned, prior, temporary, priorTemporary } = placesOf(encounter, deps)
  return {
    name: 'PV1',
    fields: {
      1: 1,
      2: classCode(encounter),
      3: pl(assigned?.location, deps),
      4: codeIn(encounter.type?.[0], '0007'),
      6: pl(prior?.location, deps),
      7: participants(encounter, 'ATND', deps),
      8: participants(encounter, 'REF', deps),
      9: participants(encounter, 'CON', deps),
      10: codeIn(serviceType, '0069') ?? serviceType?.coding?.[0]?.code,
      11: pl(temporary?.location, deps),
      14: codeIn(hospitalization?.admitSource, '0023'),
      17: participants(encounter, 'ADM', deps),
      19: visit === undefined ? undefined : cx(visit, deps.authorities),
      36: codeIn(hospitalization?.dischargeDisposition, '0112'),
      43: pl(priorTemporary?.location, deps),
      44: hl7Time(period?.start),
      45: hl7Time(period?.end),
    },
  }
}

/** Where the patient lies, as PV1-3 has it. */
export const assignedPlace = (encounter: Encounter, deps: Pick<WriterDeps, 'authorities'>): string | undefined =>
  placesOf(encounter, deps).assigned?.location.reference

function classCode({ class: { code } }: Encounter): string {
  const row = Object.entries(patientClass.rows).find(([, to]) => to.code === code)
  return row?.[0] ?? 'U'
}

/** Where the patient is, or was at the end of the visit, and before that. What was left last stands last. */
function placesOf({ location = [], status: ofVisit }: Encounter, { authorities }: Pick<WriterDeps, 'authorities'>) {
  const temporaryPlace = `${authorities.base}/StructureDefinition/temporary-location`
  const isTemporary = ({ extension }: EncounterLocation) =>
    extension?.some(({ url }) => url === temporaryPlace) === true
  const lasting = location.filter((place) => !isTemporary(place))
  const left = lasting.filter(({ status }) => status === 'completed')
  const here = lasting.find(({ status }) => status === 'active') ?? lasting.find(({ status }) => status === undefined)
  const assigned = here ?? (ofVisit === 'finished' ? left.at(-1) : undefined)
  return {
    assigned,
    prior: left.findLast((place) => place !== assigned),
    temporary: location.find((place) => isTemporary(place) && place.status === 'active'),
    priorTemporary: location.findLast((place) => isTemporary(place) && place.status === 'completed'),
  }
}

function participants({ participant = [] }: Encounter, code: string, deps: WriterDeps): FieldValue {
  const isMeant = (codes: Encounter['participant']) =>
    (codes ?? []).filter(({ type }) => type?.some(({ coding }) => coding?.some((one) => one.code === code)) === true)
  const people = isMeant(participant)
    .map(({ individual }) => xcn(individual, deps))
    .filter((person) => person !== undefined)
  return people.length === 0 ? undefined : repeated(people)
}
