import type { Account, Identifier, Reference, RelatedPerson } from '../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import { by, concept } from '../code-map.ts'
import { compact } from '../compact.ts'
import type { Draft } from '../draft.ts'
import { cx, cxAs } from '../dt/cx.ts'
import { cweOf } from '../dt/cwe.ts'
import { language } from '../dt/language.ts'
import { si } from '../dt/si.ts'
import { date, dateTime } from '../dt/ts.ts'
import { xpn } from '../dt/xpn.ts'
import { xtn, xtnAs } from '../dt/xtn.ts'
import { extensionPath, extensionRow, ownExtensionRow, text } from '../extensions.ts'
import { numberedKey } from '../drafted-keys.ts'
import { keyIdentifier } from '../keys.ts'
import type { ItemRemoval, Key } from '../mapped.ts'
import { dateRow, row, type SegmentMap } from '../segment-map.ts'
import { administrativeSex } from '../v/0001-administrative-sex.ts'
import { yesNo } from '../v/0136-yes-no.ts'
import {
  address,
  animal,
  birthTime,
  driversLicence,
  familyName,
  marital,
  nested,
  patientName,
  raceOrEthnicity,
  socialSecurityNumber,
} from './pid-rules.ts'

/** PID to Patient. PID-1, 32, 37 and 38 have no place in FHIR; 18 and 21 are resources of their own (below). */
export const pidToPatient: SegmentMap = {
  segment: 'PID',
  resource: 'Patient',
  rows: [
    // `""` cannot take away what the patient is known by; A43 and A47 move and change identifiers.
    { ...row(3, 'Patient Identifier List', 'identifier[]', cx), clears: [] },
    { ...row(2, 'Patient ID', 'identifier[]', cx), clears: [] },
    { ...row(4, 'Alternate Patient ID', 'identifier[]', cx), clears: [] },
    row(5, 'Patient Name', 'name[]', patientName),
    extensionRow(6, 'Mother’s Maiden Name', 'patient-mothersMaidenName', 'valueString', familyName),
    dateRow(7, 'Date/Time of Birth', 'birthDate', date),
    row(7, 'Date/Time of Birth', '_birthDate', birthTime),
    row(8, 'Administrative Sex', 'gender', by(administrativeSex)),
    row(9, 'Patient Alias', 'name[]', xpn, ...used('name', 'nickname', undefined)),
    row(10, 'Race', 'extension(own:race)', raceOrEthnicity('race', '0005')),
    row(11, 'Patient Address', 'address[]', address),
    // Mobile phones and e-mail addresses stand in PID-13 as well: what `""` leaves is PID-14's.
    row(13, 'Phone Number – Home', 'telecom[]', xtnAs('home'), ...used('telecom', 'home', 'mobile', 'temp', undefined)),
    row(14, 'Phone Number – Business', 'telecom[]', xtnAs('work'), ...used('telecom', 'work')),
    row(15, 'Primary Language', 'communication[]', (part, place) => {
      const spoken = language(part, place)
      return spoken && { language: spoken, preferred: true }
    }),
    row(16, 'Marital Status', 'maritalStatus', marital),
    extensionRow(17, 'Religion', 'patient-religion', 'valueCodeableConcept', cweOf('0006')),
    row(19, 'SSN Number – Patient', 'identifier[]', socialSecurityNumber, typed('SS'), typed('SB')),
    row(20, 'Driver’s License Number – Patient', 'identifier[]', driversLicence, typed('DL')),
    row(22, 'Ethnic Group', 'extension(own:ethnicity)', raceOrEthnicity('ethnicity', '0189')),
    extensionRow(23, 'Birth Place', 'patient-birthPlace', 'valueAddress', (part) => compact({ text: text(part) })),
    row(24, 'Multiple Birth Indicator', 'multipleBirthBoolean', by(yesNo)),
    row(25, 'Birth Order', 'multipleBirthInteger', si),
    row(26, 'Citizenship', extensionPath('patient-citizenship'), nested('patient-citizenship', '0171')),
    row(28, 'Nationality', extensionPath('patient-nationality'), nested('patient-nationality', '0212')),
    dateRow(29, 'Patient Death Date and Time', 'deceasedDateTime', dateTime),
    row(30, 'Patient Death Indicator', 'deceasedBoolean', by(yesNo)),
    ownExtensionRow(31, 'Identity Unknown Indicator', 'identity-unknown', 'valueBoolean', by(yesNo)),
    row(35, 'Species Code', extensionPath('patient-animal'), animal),
    row(39, 'Tribal Citizenship', extensionPath('patient-citizenship'), nested('patient-citizenship', '0171')),
    row(40, 'Patient Telecommunication Information', 'telecom[]', xtn),
  ],
}

/** The items of these uses; undefined: those of which no use is said. */
function used(element: 'name' | 'telecom', ...uses: readonly (string | undefined)[]): ItemRemoval[] {
  return uses.map((use) => ({ element, where: { use } }))
}

function typed(code: string): ItemRemoval {
  return { element: 'identifier', where: { 'type.coding.0.code': code } }
}

/** PID-18 to Account: the account that the visit is billed to. */
export function account(
  pid: Segment,
  patient: Reference,
  draft: Draft,
): { identifier: Identifier; resource: Account } | undefined {
  const identifier = cxAs('AN')(pid.part(18), at(draft, pid, 18))
  if (identifier === undefined) return undefined
  return {
    identifier,
    resource: { resourceType: 'Account', identifier: [identifier], status: 'active', subject: [patient] },
  }
}

/** PID-21 to RelatedPerson: the mother, of whom only identifiers are known here. NK1 may say more of her. */
export function mother(pid: Segment, patient: Reference, patientKey: Key, draft: Draft): void {
  for (const [repetition, part] of pid.repetitions(21).entries()) {
    const identifier = cx(part, at(draft, pid, 21, repetition))
    if (identifier === undefined) continue
    const relationship = [concept('http://terminology.hl7.org/CodeSystem/v3-RoleCode', 'MTH', 'mother')]
    const key = numberedKey(draft, 'next-of-kin', patientKey, identifier)
    const resource: RelatedPerson = {
      resourceType: 'RelatedPerson',
      identifier: [identifier, keyIdentifier(key)],
      patient,
      relationship,
    }
    draft.put(resource, { key, mode: 'ensure' })
  }
}
