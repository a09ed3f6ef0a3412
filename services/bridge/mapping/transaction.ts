import type { Bundle, BundleEntry } from '../../../packages/fhir/r4.ts'
import type { Key, Mapped, Write } from './mapped.ts'
import { wholeResource } from './merge.ts'

/** The writes as one transaction of conditional updates, for a store that has nothing yet and for showing. */
export function toTransaction({ writes }: Pick<Mapped, 'writes'>): Bundle {
  // Where nothing is stored, what might be a part of something is written as what it is.
  const wholes = new Set(writes.map(({ unlessStored }) => unlessStored))
  const entry = writes.filter(({ fullUrl, mode }) => mode !== 'amend' || !wholes.has(fullUrl)).map(entryOf)
  return { resourceType: 'Bundle', type: 'transaction', entry }
}

/** `Patient?identifier=https%3A%2F%2F…%7C123` */
export const conditionalUrl = (resourceType: string, { parameter, system, value }: Key): string =>
  `${resourceType}?${parameter}=${encodeURIComponent(keyToken({ system, value }))}`

/** `system|value` as a search parameter takes it. */
export const keyToken = ({ system, value }: Pick<Key, 'system' | 'value'>): string =>
  `${escaped(system)}|${escaped(value)}`

function entryOf(write: Write): BundleEntry {
  const { fullUrl, key, resource } = write
  const request = { method: 'PUT' as const, url: conditionalUrl(resource.resourceType, key) }
  return { fullUrl, resource: wholeResource(write), request }
}

/** R4 search: a comma, dollar, bar or backslash of a value is written after a backslash. */
const escaped = (text: string): string => text.replaceAll(/[\\,$|]/g, String.raw`\$&`)
