import type { Organization, Reference } from '../../../../packages/fhir/r4.ts'
import { readXon, type OrganisationName, type Part } from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { codeText, identifier } from '../code-map.ts'
import { identifierKey } from '../keys.ts'
import { systemOf } from './hd.ts'

/** XON: a reference to an Organization, which is created when the store has none; by name alone when it has no id. */
export function xon(part: Part | undefined, place: At): Reference | undefined {
  return organization(readXon(part), place)
}

export function organization(read: OrganisationName | undefined, place: At): Reference | undefined {
  if (read === undefined) return undefined
  const { name } = read
  const value = read.id?.trim()
  if (value === undefined || value === '') {
    return name === undefined ? undefined : { type: 'Organization', display: name }
  }
  const kind = codeText(read.idType)
  const own = identifier(kind, systemOf(read.authority, kind ?? 'organization', place.draft.context), value)
  const resource: Organization = { resourceType: 'Organization', identifier: [own] }
  if (name !== undefined) resource.name = name
  const reference = place.draft.put(resource, { key: identifierKey(own), mode: 'ensure' })
  return name === undefined ? reference : { ...reference, display: name }
}
