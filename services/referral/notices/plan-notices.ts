import type { Ids } from '../../../packages/clock/ids.ts'
import type { OutboxMessage } from '../../../packages/sql/tasks/outbox.ts'
import type { Channel, Notification, Notifier } from '../../../ports/notification/notification.ts'
import type { Facilities, Facility } from '../facilities.ts'
import { senderOf, type Side } from '../party-rules.ts'
import type { Referral } from '../referral.ts'

export const noticeTopic = 'referral.notification'

/** One delivery on one channel, so that a repetition on one never repeats another. */
export interface Notice {
  readonly facilityClientId: string
  readonly channel: Channel
  readonly notification: Notification
}

interface NoticeDeps {
  readonly facilities: Facilities
  readonly notifier: Pick<Notifier, 'channelsOf'>
  readonly ids: Ids
}

/** What happened, without a word about the patient or why they are referred. */
interface Happening {
  /** `sent`, `task.accepted`, … */
  readonly what: string
  readonly referral: Referral
  readonly taskId: number | null
  readonly status: string
  readonly at: Date
}

/** The messages that tell a side, one for each channel on which it can be reached. */
export function planNotices(happening: Happening, side: Side, deps: NoticeDeps): OutboxMessage[] {
  const facility = facilityOf(side, happening.referral, deps.facilities)
  if (facility === undefined) return []
  const { what, referral, taskId, status, at } = happening
  const subject = `Referral ${referral.id}`
  const notification: Notification = {
    id: deps.ids.timeUuid(),
    type: `referral.${what}`,
    at: at.toISOString(),
    facts: { referralId: referral.id, taskId, status, referralStatus: referral.status },
    subject,
    text: `${subject}: ${what.replace('.', ' ').replaceAll('-', ' ')}. Sign in to see it.`,
  }
  return deps.notifier.channelsOf(facility).map((channel) => ({
    topic: noticeTopic,
    // A facility learns of the steps of one referral in their order.
    key: `${referral.id} ${facility.clientId} ${channel}`,
    payload: { facilityClientId: facility.clientId, channel, notification } satisfies Notice,
  }))
}

function facilityOf(side: Side, referral: Referral, facilities: Facilities): Facility | undefined {
  return side === 'receiver'
    ? facilities.find({ clientId: referral.receivingFacilityClientId, organisation: referral.performerId })
    : facilityOfSender(referral, facilities)
}

/** Apps are shared by facilities: the clinicians of one that is known are told there, whichever app they use. */
function facilityOfSender(referral: Referral, facilities: Facilities): Facility | undefined {
  const byClient = facilities.byClientId(referral.sendingClientId)
  const organisation = senderOf(referral, facilities)
  if (organisation === undefined) return byClient
  const own = facilities.clientIdsOf(organisation).flatMap((clientId) => facilities.byClientId(clientId) ?? [])
  if (byClient !== undefined && own.includes(byClient)) return byClient
  return own[0] ?? (byClient?.organisation === undefined ? byClient : undefined)
}
