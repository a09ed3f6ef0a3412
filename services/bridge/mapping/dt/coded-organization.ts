import type { Identifier, Organization, Reference } from '../../../../packages/fhir/r4.ts'
import { readCwe, textOfCoded, type Part } from '../../../../packages/hl7/index.ts'
import type { At } from '../at.ts'
import { codeText, rowOf } from '../code-map.ts'
import { identifierKey } from '../keys.ts'
import { codingSystem } from '../v/0396-coding-system.ts'
import { systemOf } from './hd.ts'

/** An organization that is named by a code (a laboratory in OBX-15, a maker in RXA-17), which is all that is known of it. */
export const codedOrganization =
  (kind: string) =>
  (part: Part, place: At): Reference | undefined => {
    const read = readCwe(part)
    const name = textOfCoded(read)
    const value = codeText(read?.codes?.[0]?.code)
    const shown = name === undefined ? {} : { display: name }
    if (value === undefined) return name === undefined ? undefined : { type: 'Organization', ...shown }
    const identifier: Identifier = { system: systemOfCode(read?.codes?.[0]?.system, kind, place), value }
    const resource: Organization = {
      resourceType: 'Organization',
      identifier: [identifier],
      ...(name === undefined ? {} : { name }),
    }
    return { ...place.draft.put(resource, { key: identifierKey(identifier), mode: 'ensure' }), ...shown }
  }

function systemOfCode(sent: string | undefined, kind: string, { draft }: At): string {
  const authority = sent === undefined ? undefined : { namespace: sent, universalId: sent }
  return rowOf(codingSystem, sent ?? '') ?? systemOf(authority, kind, draft.context)
}
