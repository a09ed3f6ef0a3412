import type { ContactPoint, Extension } from '../../../../packages/fhir/r4.ts'
import { readXtn, type Part, type Telecom } from '../../../../packages/hl7/index.ts'
import { type At, warnAt } from '../at.ts'
import { mapCode, rowOf } from '../code-map.ts'
import { compact } from '../compact.ts'
import { extensionBase } from '../extension-base.ts'
import { telecommunicationUse } from '../v/0201-telecommunication-use.ts'
import { telecommunicationEquipment } from '../v/0202-telecommunication-equipment.ts'
import { periodOf } from './ts.ts'

/** XTN: a way to reach someone. */
export function xtn(part: Part | undefined, place: At): ContactPoint | undefined {
  return xtnOf(part, place, undefined)
}

/** XTN in a field that means home or work: used where the sender says none. */
export const xtnAs =
  (use: 'home' | 'work') =>
  (part: Part | undefined, place: At): ContactPoint | undefined =>
    xtnOf(part, place, use)

function xtnOf(part: Part | undefined, place: At, fallback: 'home' | 'work' | undefined): ContactPoint | undefined {
  const read = readXtn(part)
  const equipment = read === undefined ? undefined : equipmentOf(read, place)
  const value = read === undefined ? undefined : valueOf(read, equipment?.system)
  if (read === undefined || value === undefined) return undefined
  const use = equipment?.use ?? useOf(read.use, place) ?? (read.use === undefined ? fallback : undefined)
  return compact<ContactPoint>({
    extension: partsOf(read),
    system: equipment?.system ?? (value.includes('@') ? 'email' : 'phone'),
    value,
    use,
    rank: read.preference === undefined || read.preference === 0 ? undefined : read.preference,
    period: periodOf(read.start, read.end, place),
  })
}

/** An e-mail address has its own component, and then a number beside it is only kept where it is the value. */
function valueOf({ value, email }: Telecom, system: ContactPoint['system']): string | undefined {
  return system === 'email' ? (email ?? value) : (value ?? email)
}

function equipmentOf({ equipment, use }: Telecom, place: At) {
  if (equipment !== undefined) return mapCode(telecommunicationEquipment, equipment, place)
  if (use?.trim().toUpperCase() === 'NET') return { system: 'email' } as const
  return use?.trim().toUpperCase() === 'BPN' ? ({ system: 'pager' } as const) : undefined
}

function useOf(use: string | undefined, place: At): ContactPoint['use'] {
  if (use === undefined) return undefined
  const isKnown = Object.hasOwn(telecommunicationUse.rows, use.trim().toUpperCase())
  if (!isKnown) warnAt(place, 'unknown-value', 'The value is not in table 0201 (Telecommunication Use Code).')
  return rowOf(telecommunicationUse, use)
}

function partsOf(read: Telecom): Extension[] {
  const extensions: Extension[] = []
  for (const { part, url } of numberParts) {
    const valueString = read[part]
    if (valueString !== undefined) extensions.push({ url, valueString })
  }
  return extensions
}

const numberParts = [
  { part: 'countryCode', url: `${extensionBase}/contactpoint-country` },
  { part: 'areaCode', url: `${extensionBase}/contactpoint-area` },
  { part: 'localNumber', url: `${extensionBase}/contactpoint-local` },
  { part: 'extension', url: `${extensionBase}/contactpoint-extension` },
] as const
