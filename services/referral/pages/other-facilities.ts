import type { FacilityChoice } from '../../../ports/fhir-store/facility-choices.ts'
import type { Referral, ReferralTask } from '../referral.ts'
import { isSameReceiver } from '../same-receiver.ts'
import { receiverChoices, readReceiver } from './people.ts'
import { turnedDown } from './words.ts'

type Receiver = 'receivingFacilityClientId' | 'performerId'

interface Asked {
  readonly referral: Pick<Referral, Receiver>
  readonly tasks: readonly Pick<ReferralTask, Receiver | 'status'>[]
}

/**
 * Whom else to ask: the facility that was asked last has answered, and nobody passes it back to the one that asks. Who turned
 * it down before that can be asked again, but knowingly.
 */
export async function otherFacilities(
  { referral, tasks }: Asked,
  ...from: Parameters<typeof receiverChoices>
): Promise<readonly FacilityChoice[]> {
  const [, { facilities }] = from
  const choices = await receiverChoices(...from)
  const refused = tasks.filter(({ status }) => status === 'REJECTED')
  return choices
    .map((choice) => ({ ...choice, receiver: readReceiver(choice.value) }))
    .filter(({ receiver }) => !isSameReceiver(receiver, referral, facilities))
    .map(({ value, label, receiver }) => {
      const hasRefused = refused.some((task) => isSameReceiver(receiver, task, facilities))
      return { value, label: hasRefused ? turnedDown(label) : label }
    })
}
