import type { Meta } from '../../../../packages/fhir/r4.ts'
import { coding, v2System } from '../code-map.ts'
import type { Draft } from '../draft.ts'

/** MSH-9.2, or EVN-1 where old senders write only there. */
export const triggerOf = ({ message }: Draft): string =>
  (message.getText('MSH-9.2') ?? message.getText('EVN-1'))?.trim().toUpperCase() ?? ''

/** MSH-11: what comes from training or debugging is marked, so that nobody takes it for a patient's record. */
export function tagProcessing(draft: Draft): void {
  const id = draft.message.getText('MSH-11.1')?.trim().toUpperCase()
  if (id !== 'T' && id !== 'D') return
  const tag = coding(v2System('0103'), id, id === 'T' ? 'Training' : 'Debugging')
  for (const { resource } of draft.writes) {
    const meta: Meta = resource.meta ?? {}
    resource.meta = { ...meta, tag: [...(meta.tag ?? []), tag] }
  }
}
