import type { Extension } from '../../../packages/fhir/r4.ts'
import type { Part } from '../../../packages/hl7/index.ts'
import type { At } from './at.ts'
import { extensionBase } from './extension-base.ts'
import { row, type Row } from './segment-map.ts'

/** The path of an extension that HL7 defines, or of one with its whole address. */
export const extensionPath = (extension: string): string => `extension(${addressOf(extension)})`

/** A row whose field becomes an extension that HL7 defines: `patient-religion`. */
export function extensionRow(
  field: number,
  name: string,
  extension: string,
  value: ExtensionValue,
  rule: (part: Part, place: At) => unknown,
): Row {
  const url = addressOf(extension)
  return row(field, name, `extension(${url})`, (part, place) => extensionWith(url, value, rule(part, place)))
}

/** A row whose field becomes an extension of ours (or of the realm, `draft.extensionUrl`). */
export function ownExtensionRow(
  field: number,
  name: string,
  extension: string,
  value: ExtensionValue,
  rule: (part: Part, place: At) => unknown,
): Row {
  return row(field, name, `extension(own:${extension})`, (part, place) =>
    extensionWith(place.draft.extensionUrl(extension), value, rule(part, place)),
  )
}

export type ExtensionValue = Extract<keyof Extension, `value${string}`>

/** An extension with a value, or none without one. */
export function extensionWith(url: string, value: ExtensionValue, given: unknown): Extension | undefined {
  return given === undefined ? undefined : { url, [value]: given }
}

/** The text of a field, for elements that are strings. */
export const text = (part: Part): string | undefined => {
  const said = part.whole.trim()
  return said === '' ? undefined : said
}

const addressOf = (extension: string): string =>
  extension.startsWith('http') ? extension : `${extensionBase}/${extension}`
