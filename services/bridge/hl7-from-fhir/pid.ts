import type { ContactPoint, Extension, Patient } from '../../../packages/fhir/r4.ts'
import { administrativeSex } from '../mapping/v/0001-administrative-sex.ts'
import { backwards, cwe } from './dt/coded.ts'
import { cxList } from './dt/identifiers.ts'
import { xadList, xpnList, xtnList } from './dt/names.ts'
import { hl7Date, hl7Time } from './dt/times.ts'
import type { WriterDeps, WrittenSegment } from './written-segment.ts'

/** PID of a Patient: what `segments/pid.ts` of the mapping reads, the other way round. */
export function pidFrom(patient: Patient, deps: WriterDeps, setId = 1): WrittenSegment {
  const { identifier, name, birthDate, gender, address, maritalStatus, communication } = patient
  const telecom = patient.telecom ?? []
  return {
    name: 'PID',
    fields: {
      1: setId,
      3: cxList(identifier, deps.authorities),
      5: xpnList(name),
      6: extensionOf(patient, 'patient-mothersMaidenName')?.valueString,
      7: hl7Date(birthDate),
      8: backwards(administrativeSex, gender),
      11: xadList(address),
      13: xtnList(telecom.filter((one) => !isForWork(one))),
      14: xtnList(telecom.filter(isForWork)),
      15: cwe(communication?.[0]?.language, deps),
      16: maritalOf(maritalStatus, deps),
      17: cwe(extensionOf(patient, 'patient-religion')?.valueCodeableConcept, deps),
      24: flag(patient.multipleBirthBoolean ?? (patient.multipleBirthInteger === undefined ? undefined : true)),
      25: patient.multipleBirthInteger,
      29: hl7Time(patient.deceasedDateTime),
      30: flag(patient.deceasedBoolean ?? (patient.deceasedDateTime === undefined ? undefined : true)),
      33: hl7Time(patient.meta?.lastUpdated),
    },
  }
}

const isForWork = ({ use }: ContactPoint): boolean => use === 'work'

/** PID-16 is of table 0002, whose codes FHIR has others for; one that has no counterpart stays what it is. */
function maritalOf(concept: Patient['maritalStatus'], deps: WriterDeps) {
  const coding = concept?.coding?.find(({ system }) => system?.endsWith('/v3-MaritalStatus') === true)
  const code = maritalCodes[coding?.code ?? '']
  return code === undefined ? cwe(concept, deps) : [code, coding?.display, 'HL70002']
}

const maritalCodes: Readonly<Record<string, string>> = {
  A: 'N',
  C: 'C',
  D: 'D',
  I: 'I',
  L: 'L',
  M: 'M',
  S: 'S',
  T: 'P',
  U: 'B',
  UNK: 'U',
  W: 'W',
}

/** Table 0136. */
const flag = (value: boolean | undefined): string | undefined => (value === undefined ? undefined : value ? 'Y' : 'N')

const extensionOf = ({ extension }: Patient, name: string): Extension | undefined =>
  extension?.find(({ url }) => url === `http://hl7.org/fhir/StructureDefinition/${name}`)
