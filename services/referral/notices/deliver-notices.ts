import type { Clock } from '../../../packages/clock/clock.ts'
import type { Random } from '../../../packages/clock/ids.ts'
import { faultOf, unprocessable } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Outbox, OutboxWorker } from '../../../packages/sql/tasks/outbox.ts'
import { ReceiverPlaces } from '../../../packages/sql/tasks/receiver-places.ts'
import { isUntried } from '../../../packages/sql/tasks/task-attempt.ts'
import type { Channel, Notifier, Recipient } from '../../../ports/notification/notification.ts'
import type { Facilities } from '../facilities.ts'
import { noticeTopic, type Notice } from './plan-notices.ts'

interface DeliverDeps {
  readonly outbox: Outbox
  readonly facilities: Facilities
  readonly notifier: Notifier
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Under way at once, and on their way to one receiver: a webhook or a gateway that is silent keeps nobody else waiting. */
const concurrency = 8
const share = 2

/** Longer than all attempts take. What is given back is no attempt: without an end of its own it would come for days. */
const waitMsMax = 7_200_000

/** Addresses and secrets are looked up now: they may have changed since, and have no business in a queue. */
export function deliverNotices(deps: DeliverDeps): OutboxWorker<Notice> {
  const { outbox, facilities, notifier, clock, log } = deps
  const places = new ReceiverPlaces({ ...deps, share })
  return outbox.deliver<Notice>({
    topics: [noticeTopic],
    concurrency,
    // A little over an hour: who hears of a referral later than that has seen it in the inbox.
    attemptsMax: 20,
    isPermanent: ({ code }) => code === tooLateCode,
    handle: async ({ payload: { facilityClientId, channel, notification }, createdAt }, signal) => {
      const facility = facilities.byClientId(facilityClientId)
      if (facility === undefined || !notifier.channelsOf(facility).includes(channel)) {
        return log.info('notification dropped: its receiver has no such channel any more', { channel })
      }
      try {
        const send = () => notifier.notify(channel, facility, notification, { signal })
        await places.hold(receiverOf(channel, facility), send, signal)
      } catch (thrown) {
        const isLate = clock.now().getTime() - createdAt.getTime() >= waitMsMax
        if (isLate && !signal.aborted && isUntried(faultOf(thrown))) throw tooLate()
        throw thrown
      }
    },
  })
}

/** Each gateway is one, whomever it tells. */
const receiverOf = (channel: Channel, { webhook }: Recipient): string =>
  channel === 'webhook' && webhook !== undefined ? new URL(webhook.url).host : channel

const tooLateCode = 'NOTICE_TOO_LATE'
const tooLate = () => unprocessable('Its receiver was too slow for all that was meant for it.', { code: tooLateCode })
