import type { Log } from '../../../packages/log/log.ts'
import type { Outbox, OutboxWorker } from '../../../packages/sql/tasks/outbox.ts'
import type { Notifier } from '../../../ports/notification/notification.ts'
import type { Facilities } from '../facilities.ts'
import { noticeTopic, type Notice } from './plan-notices.ts'

interface DeliverDeps {
  readonly outbox: Outbox
  readonly facilities: Facilities
  readonly notifier: Notifier
  readonly log: Log
}

/** Addresses and secrets are looked up now: they may have changed since, and have no business in a queue. */
export function deliverNotices({ outbox, facilities, notifier, log }: DeliverDeps): OutboxWorker<Notice> {
  return outbox.deliver<Notice>({
    topics: [noticeTopic],
    // A little over an hour: who hears of a referral later than that has seen it in the inbox.
    attemptsMax: 20,
    handle: async ({ payload: { facilityClientId, channel, notification } }, signal) => {
      const facility = facilities.byClientId(facilityClientId)
      if (facility === undefined || !notifier.channelsOf(facility).includes(channel)) {
        return log.info('notification dropped: its receiver has no such channel any more', { channel })
      }
      await notifier.notify(channel, facility, notification, { signal })
    },
  })
}
