import type { Meta } from '../../../../packages/fhir/r4.ts'
import { parsePath } from '../../../../packages/hl7/index.ts'
import { coding, v2System } from '../code-map.ts'
import type { Draft } from '../draft.ts'

/** What every message is asked, as paths that are read once. */
export const header = {
  application: parsePath('MSH-3'),
  facility: parsePath('MSH-4'),
  type: parsePath('MSH-9.1'),
  trigger: parsePath('MSH-9.2'),
  processing: parsePath('MSH-11.1'),
}

const eventType = parsePath('EVN-1')

/** MSH-9.2, or EVN-1 where old senders write only there. */
export const triggerOf = ({ message }: Pick<Draft, 'message'>): string =>
  (message.getText(header.trigger) ?? message.getText(eventType))?.trim().toUpperCase() ?? ''

/** MSH-11: what comes from training or debugging is marked, so that nobody takes it for a patient's record. */
export function tagProcessing(draft: Draft): void {
  const id = draft.message.getText(header.processing)?.trim().toUpperCase()
  if (id !== 'T' && id !== 'D') return
  const tag = coding(v2System('0103'), id, id === 'T' ? 'Training' : 'Debugging')
  for (const { resource } of draft.writes) {
    const meta: Meta = resource.meta ?? {}
    resource.meta = { ...meta, tag: [...(meta.tag ?? []), tag] }
  }
}
