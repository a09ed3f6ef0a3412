import type { ConsentDeps } from '../deps.ts'
import { accessEvent, type Accessed, type Call } from './access.ts'

/** Written before anything is shown: who has seen what a patient agreed to and refused. A list is one look. */
export async function auditLook(
  shown: Accessed,
  call: Call,
  { audit, clock, ids }: Pick<ConsentDeps, 'audit' | 'clock' | 'ids'>,
): Promise<void> {
  audit.assertRoom()
  await audit.addDurably(accessEvent('SHOWN', shown, call, { id: ids.timeUuid(), at: clock.now() }))
}
