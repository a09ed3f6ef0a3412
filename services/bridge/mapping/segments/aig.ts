import type { Device, Location, Practitioner, Reference } from '../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import { codeText, rowOf } from '../code-map.ts'
import type { Draft } from '../draft.ts'
import { cwe } from '../dt/cwe.ts'
import type { ScheduledResource } from '../families/siu/scheduled-resource.ts'
import type { ResourceFields } from '../families/siu/times.ts'
import { readableKey } from '../drafted-keys.ts'
import { keyIdentifier } from '../keys.ts'
import { scheduledResource } from '../v/scheduled-resource.ts'

const aigFields: ResourceFields = {
  start: 8,
  offset: 9,
  offsetUnit: 10,
  duration: 11,
  durationUnit: 12,
  status: 14,
}

/** AIG-3: anything else that an appointment needs. AIG-4 tells a person or a place from a device. */
export function generalResource(aig: Segment, draft: Draft): ScheduledResource[] {
  const code = codeText(aig.text(3))
  const name = aig.part(3)?.componentText(2) ?? code
  if (code === undefined || name === undefined) return []
  const type = cwe(aig.part(4), at(draft, aig, 4))
  const kind = rowOf(scheduledResource, aig.text(4) ?? '') ?? rowOf(scheduledResource, aig.text(4, 2) ?? '') ?? 'Device'
  const actor = put(kind, code, name, draft)
  return [
    { segment: aig, fields: aigFields, actor: { ...actor, display: name }, ...(type === undefined ? {} : { type }) },
  ]
}

function put(kind: 'Practitioner' | 'Location' | 'Device', code: string, name: string, draft: Draft): Reference {
  const key = readableKey(draft, kind === 'Practitioner' ? 'practitioner' : 'resource', code)
  const identifier = [keyIdentifier(key)]
  const options = { key, mode: 'ensure' } as const
  if (kind === 'Practitioner') {
    const resource: Practitioner = { resourceType: 'Practitioner', identifier, name: [{ text: name }] }
    return draft.put(resource, options)
  }
  if (kind === 'Location') {
    const resource: Location = { resourceType: 'Location', identifier, name, mode: 'instance' }
    return draft.put(resource, options)
  }
  const deviceName = [{ name, type: 'user-friendly-name' as const }]
  const resource: Device = { resourceType: 'Device', identifier, deviceName }
  return draft.put(resource, options)
}
