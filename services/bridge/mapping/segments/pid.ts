import type { Account, Extension, Identifier, Reference, RelatedPerson } from '../../../../packages/fhir/r4.ts'
import { readTimestamp, type Part, type Segment } from '../../../../packages/hl7/index.ts'
import { type At, at } from '../at.ts'
import { by, concept } from '../code-map.ts'
import { compact } from '../compact.ts'
import type { Draft } from '../draft.ts'
import { cx, cxAs } from '../dt/cx.ts'
import { cwe, cweOf } from '../dt/cwe.ts'
import { systemOf } from '../dt/hd.ts'
import { language } from '../dt/language.ts'
import { si } from '../dt/si.ts'
import { date, dateTime } from '../dt/ts.ts'
import { xad } from '../dt/xad.ts'
import { xpn } from '../dt/xpn.ts'
import { xtn, xtnAs } from '../dt/xtn.ts'
import { extensionRow, extensionWith, ownExtensionRow, text } from '../extensions.ts'
import { identifierKey } from '../keys.ts'
import type { ItemRemoval } from '../mapped.ts'
import { dateRow, row, type SegmentMap } from '../segment-map.ts'
import { administrativeSex } from '../v/0001-administrative-sex.ts'
import { maritalStatus } from '../v/0002-marital-status.ts'
import { yesNo } from '../v/0136-yes-no.ts'

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
    row(9, 'Patient Alias', 'name[]', xpn, { element: 'name', where: { use: 'nickname' } }),
    {
      ...ownExtensionRow(10, 'Race', 'race', 'valueCodeableConcept', cweOf('0005')),
      by: raceOrEthnicity('race', '0005'),
    },
    row(11, 'Patient Address', 'address[]', address),
    row(13, 'Phone Number – Home', 'telecom[]', xtnAs('home'), { element: 'telecom', where: { use: 'home' } }),
    row(14, 'Phone Number – Business', 'telecom[]', xtnAs('work'), { element: 'telecom', where: { use: 'work' } }),
    row(15, 'Primary Language', 'communication[]', (part, place) => {
      const spoken = language(part, place)
      return spoken && { language: spoken, preferred: true }
    }),
    row(16, 'Marital Status', 'maritalStatus', marital),
    extensionRow(17, 'Religion', 'patient-religion', 'valueCodeableConcept', cweOf('0006')),
    row(19, 'SSN Number – Patient', 'identifier[]', socialSecurityNumber, typed('SS'), typed('SB')),
    row(20, 'Driver’s License Number – Patient', 'identifier[]', driversLicence, typed('DL')),
    {
      ...ownExtensionRow(22, 'Ethnic Group', 'ethnicity', 'valueCodeableConcept', cweOf('0189')),
      by: raceOrEthnicity('ethnicity', '0189'),
    },
    extensionRow(23, 'Birth Place', 'patient-birthPlace', 'valueAddress', (part) => compact({ text: text(part) })),
    row(24, 'Multiple Birth Indicator', 'multipleBirthBoolean', by(yesNo)),
    row(25, 'Birth Order', 'multipleBirthInteger', si),
    {
      ...extensionRow(26, 'Citizenship', 'patient-citizenship', 'valueCodeableConcept', cwe),
      by: nested('patient-citizenship', '0171'),
    },
    {
      ...extensionRow(28, 'Nationality', 'patient-nationality', 'valueCodeableConcept', cwe),
      by: nested('patient-nationality', '0212'),
    },
    dateRow(29, 'Patient Death Date and Time', 'deceasedDateTime', dateTime),
    row(30, 'Patient Death Indicator', 'deceasedBoolean', by(yesNo)),
    ownExtensionRow(31, 'Identity Unknown Indicator', 'identity-unknown', 'valueBoolean', by(yesNo)),
    { ...extensionRow(35, 'Species Code', 'patient-animal', 'valueCodeableConcept', cwe), by: animal },
    {
      ...extensionRow(39, 'Tribal Citizenship', 'patient-citizenship', 'valueCodeableConcept', cwe),
      by: nested('patient-citizenship', '0171'),
    },
    row(40, 'Patient Telecommunication Information', 'telecom[]', xtn),
  ],
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

/** PID-21 to RelatedPerson: the mother, of whom only identifiers are known here. */
export function mother(pid: Segment, patient: Reference, draft: Draft): void {
  for (const [repetition, part] of pid.repetitions(21).entries()) {
    const identifier = cx(part, at(draft, pid, 21, repetition))
    if (identifier === undefined) continue
    const relationship = [concept('http://terminology.hl7.org/CodeSystem/v3-RoleCode', 'MTH', 'mother')]
    const resource: RelatedPerson = { resourceType: 'RelatedPerson', identifier: [identifier], patient, relationship }
    draft.put(resource, { key: identifierKey(identifier), mode: 'ensure' })
  }
}

/** PID-12 was the county before PID-11.9 was: it counts where the address has none. */
function address(part: Part, place: At): unknown {
  const read = xad(part, place)
  const county = place.repetition === 0 ? place.segment.text(12) : undefined
  return read === undefined || read.district !== undefined || county === undefined
    ? read
    : { ...read, district: county }
}

/** The first name of PID-5 is the legal name, unless the sender says otherwise. */
function patientName(part: Part, place: At): ReturnType<typeof xpn> {
  const names = xpn(part, place)
  if (place.repetition > 0 || part.text(7) !== undefined) return names
  return names?.map((name, index) =>
    index === 0 && name.use === undefined ? { ...name, use: 'official' as const } : name,
  )
}

/** XPN or a bare text: the family name, else the given one. */
function familyName(part: Part): string | undefined {
  return part.text(1) ?? part.text(2)
}

const birthTimeUrl = 'http://hl7.org/fhir/StructureDefinition/patient-birthTime'

/** A time of birth; midnight is how senders fill a field that wants a time. */
function birthTime(part: Part, place: At): { extension: Extension[] } | undefined {
  const read = readTimestamp(part)
  if (read?.time === undefined || /^00:00:00(\.0*)?$/.test(read.time)) return undefined
  const valueDateTime = dateTime(part, place)
  return valueDateTime === undefined || !valueDateTime.includes('T')
    ? undefined
    : { extension: [{ url: birthTimeUrl, valueDateTime }] }
}

function marital(part: Part, place: At): unknown {
  const original = cweOf('0002')(part, place)
  const isOfTable = original?.coding?.some(({ system }) => system?.endsWith('v2-0002') === true)
  const mapped = isOfTable === true ? by(maritalStatus)(part, place) : undefined
  if (original === undefined || mapped === undefined) return original
  const system = mapped === 'UNK' ? 'v3-NullFlavor' : 'v3-MaritalStatus'
  const standard = { system: `http://terminology.hl7.org/CodeSystem/${system}`, code: mapped }
  return { ...original, coding: [standard, ...(original.coding ?? [])] }
}

/** PID-19: a national number by the name of one country's. Outside the US it is a social beneficiary's number. */
function socialSecurityNumber(part: Part, place: At): Identifier | undefined {
  const { settings } = place.draft.context
  const isUs = settings.realm === 'US'
  const read = cxAs(isUs ? 'SS' : 'SB')(part, place)
  if (read === undefined || part.text(4) !== undefined) return read
  const system = isUs ? 'http://hl7.org/fhir/sid/us-ssn' : settings.nationalIdSystem
  return system === undefined ? read : { ...read, system }
}

/** PID-20 (DLN): number, issuing authority, expiry. */
function driversLicence(part: Part, place: At): Identifier | undefined {
  const value = part.text(1)?.trim()
  if (value === undefined || value === '') return undefined
  const issuer = part.text(2)?.trim()
  const end = date(part.part(3), place)
  return compact<Identifier>({
    type: concept('http://terminology.hl7.org/CodeSystem/v2-0203', 'DL'),
    system: systemOf(issuer === undefined ? undefined : { namespace: `DL-${issuer}` }, 'DL', place.draft.context),
    value,
    period: end === undefined ? undefined : { end },
  })
}

/** US Core keeps all races of a person in one extension; elsewhere each is one. */
function raceOrEthnicity(name: 'race' | 'ethnicity', table: string) {
  return (part: Part, place: At): Extension | undefined => {
    const url = place.draft.extensionUrl(name)
    if (place.draft.context.settings.realm !== 'US')
      return extensionWith(url, 'valueCodeableConcept', cweOf(table)(part, place))
    if (place.repetition > 0) return undefined
    const concepts = place.segment
      .repetitions(place.field)
      .map((one) => cweOf(table)(one, place))
      .filter((one) => one !== undefined)
    const categories = concepts
      .flatMap(({ coding = [] }) => coding.slice(0, 1))
      .slice(0, name === 'race' ? 5 : 1)
      .map((valueCoding) => ({ url: 'ombCategory', valueCoding }))
    const shown = concepts
      .map((one) => one.text)
      .filter((one) => one !== undefined)
      .join(', ')
    return shown === '' ? undefined : { url, extension: [...categories, { url: 'text', valueString: shown }] }
  }
}

function nested(name: string, table: string) {
  return (part: Part, place: At): Extension | undefined => {
    const valueCodeableConcept = cweOf(table)(part, place)
    if (valueCodeableConcept === undefined) return undefined
    return {
      url: `http://hl7.org/fhir/StructureDefinition/${name}`,
      extension: [{ url: 'code', valueCodeableConcept }],
    }
  }
}

/** PID-35 and 36: species and breed. */
function animal(part: Part, place: At): Extension | undefined {
  const species = cwe(part, place)
  const breed = cwe(place.segment.part(36), { ...place, field: 36 })
  if (species === undefined || place.repetition > 0) return undefined
  return {
    url: 'http://hl7.org/fhir/StructureDefinition/patient-animal',
    extension: [
      { url: 'species', valueCodeableConcept: species },
      ...(breed === undefined ? [] : [{ url: 'breed', valueCodeableConcept: breed }]),
    ],
  }
}
