import type { Identifier, Practitioner, Reference } from '../../../../packages/fhir/r4.ts'
import { readXcn, type Part, type PersonReference } from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { codeText, concept, identifier, v2System } from '../code-map.ts'
import { identifierKey } from '../keys.ts'
import { systemOf } from './hd.ts'
import { humanName, shownName } from './xpn.ts'

/**
 * XCN: a reference to a Practitioner, who is created when the store has none (the staff master file says more). Without
 * an identifier nobody can be found, so the reference has only the name.
 */
export function xcn(part: Part | undefined, place: At): Reference | undefined {
  if (part === undefined) return undefined
  const { draft } = place
  const known = draft.people.get(part.raw)
  if (known !== undefined) return known
  const warnings = draft.warningCount
  const found = practitioner(readXcn(part), place)
  // What gave a warning is read again wherever it stands, because the warning names the place.
  if (found !== undefined && draft.warningCount === warnings) draft.people.set(part.raw, found)
  return found
}

/** A person that was already read, as that of NDL. */
export function practitioner(read: PersonReference | undefined, place: At): Reference | undefined {
  if (read === undefined) return undefined
  const { degree, ...named } = read.name ?? {}
  const name = humanName(named, place)
  const display = name === undefined ? '' : shownName(name)
  const own = identifierOf(read, place)
  if (own === undefined) return display === '' ? undefined : { type: 'Practitioner', display }
  const resource: Practitioner = { resourceType: 'Practitioner', identifier: [own] }
  if (name !== undefined) resource.name = [name]
  // XCN.7: a degree is what somebody has learned, and no part of the name.
  const learned = codeText(degree)
  if (learned !== undefined) {
    resource.qualification = [{ code: { ...concept(v2System('0360'), learned), text: learned } }]
  }
  const reference = place.draft.put(resource, { key: identifierKey(own), mode: 'ensure' })
  return display === '' ? reference : { ...reference, display }
}

function identifierOf({ id, authority, idType }: PersonReference, { draft }: At): Identifier | undefined {
  const value = id?.trim()
  if (value === undefined || value === '') return undefined
  const kind = codeText(idType)
  return identifier(kind, systemOf(authority, kind ?? 'practitioner', draft.context), value)
}
