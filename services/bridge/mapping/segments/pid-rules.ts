import type { Extension, Identifier } from '../../../../packages/fhir/r4.ts'
import { readTimestamp, type Part } from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { by, concept } from '../code-map.ts'
import { compact } from '../compact.ts'
import { cxAs } from '../dt/cx.ts'
import { cwe, cweOf } from '../dt/cwe.ts'
import { systemOf } from '../dt/hd.ts'
import { date, dateTime } from '../dt/ts.ts'
import { xad } from '../dt/xad.ts'
import { xpn } from '../dt/xpn.ts'
import { extensionWith } from '../extensions.ts'
import { maritalStatus } from '../v/0002-marital-status.ts'

/** PID-12 was the county before PID-11.9 was: it counts where the address has none. */
export function address(part: Part, place: At): unknown {
  const read = xad(part, place)
  const county = place.repetition === 0 ? place.segment.text(12) : undefined
  return read === undefined || read.district !== undefined || county === undefined
    ? read
    : { ...read, district: county }
}

/** The first name of PID-5 is the legal name, unless the sender says otherwise. */
export function patientName(part: Part, place: At): ReturnType<typeof xpn> {
  const names = xpn(part, place)
  if (place.repetition > 0 || part.text(7) !== undefined) return names
  return names?.map((name, index) =>
    index === 0 && name.use === undefined ? { ...name, use: 'official' as const } : name,
  )
}

/** XPN or a bare text: the family name, else the given one. */
export function familyName(part: Part): string | undefined {
  return part.text(1) ?? part.text(2)
}

const birthTimeUrl = 'http://hl7.org/fhir/StructureDefinition/patient-birthTime'

/** A time of birth; midnight is how senders fill a field that wants a time. */
export function birthTime(part: Part, place: At): { extension: Extension[] } | undefined {
  const read = readTimestamp(part)
  if (read?.time === undefined || /^00:00:00(\.0*)?$/.test(read.time)) return undefined
  const valueDateTime = dateTime(part, place)
  return valueDateTime === undefined || !valueDateTime.includes('T')
    ? undefined
    : { extension: [{ url: birthTimeUrl, valueDateTime }] }
}

export function marital(part: Part, place: At): unknown {
  const original = cweOf('0002')(part, place)
  const isOfTable = original?.coding?.some(({ system }) => system?.endsWith('v2-0002') === true)
  const mapped = isOfTable === true ? by(maritalStatus)(part, place) : undefined
  if (original === undefined || mapped === undefined) return original
  const system = mapped === 'UNK' ? 'v3-NullFlavor' : 'v3-MaritalStatus'
  const standard = { system: `http://terminology.hl7.org/CodeSystem/${system}`, code: mapped }
  return { ...original, coding: [standard, ...(original.coding ?? [])] }
}

/** PID-19: a national number by the name of one country's. Outside the US it is a social beneficiary's number. */
export function socialSecurityNumber(part: Part, place: At): Identifier | undefined {
  const { settings } = place.draft.context
  const isUs = settings.realm === 'US'
  const read = cxAs(isUs ? 'SS' : 'SB')(part, place)
  if (read === undefined || part.text(4) !== undefined) return read
  const system = isUs ? 'http://hl7.org/fhir/sid/us-ssn' : settings.nationalIdSystem
  return system === undefined ? read : { ...read, system }
}

/** PID-20 (DLN): number, issuing authority, expiry. */
export function driversLicence(part: Part, place: At): Identifier | undefined {
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
export function raceOrEthnicity(name: 'race' | 'ethnicity', table: string) {
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

export function nested(name: string, table: string) {
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
export function animal(part: Part, place: At): Extension | undefined {
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
