import type { Clock } from '../../../packages/clock/clock.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import { channelIds } from '../pipeline/channel.ts'
import type { Outcome } from '../pipeline/outcome.ts'
import type { Duplicate } from '../pipeline/finished.ts'
import type { MessageFacts } from './work.ts'

const statuses: readonly (Outcome | Duplicate)['status'][] = ['SUCCESS', 'ERROR', 'QUEUED', 'DUPLICATE']

/** What alerting needs to know of messages, as Prometheus metrics. */
export class Measures {
  readonly #clock: Clock
  readonly #messages
  readonly #answers
  readonly #seconds
  readonly #stageSeconds
  readonly #notTaken
  readonly #mismatches
  readonly #parked
  readonly #parkedAge

  constructor({ metrics, clock }: { readonly metrics: Metrics; readonly clock: Clock }) {
    this.#clock = clock
    this.#messages = metrics.counter('corridor_bridge_messages_total', 'Messages by how they ended.', [
      'channel',
      'status',
    ])
    this.#answers = metrics.counter(
      'corridor_bridge_answers_total',
      'Answers by their code, one for each message: CA where none followed it.',
      ['channel', 'code'],
    )
    this.#seconds = metrics.histogram('corridor_bridge_message_seconds', 'From receipt to the durable end.', [
      'channel',
    ])
    this.#stageSeconds = metrics.histogram('corridor_bridge_stage_seconds', 'How long a stage took.', ['stage'])
    this.#notTaken = metrics.counter(
      'corridor_bridge_messages_not_taken_total',
      'Messages that were answered AE because they, or how they ended, could not be written down.',
      ['channel'],
    )
    this.#mismatches = metrics.counter(
      'corridor_bridge_content_mismatches_total',
      'Messages under a control id that another message of the same sender had.',
      ['channel'],
    )
    this.#parked = metrics.gauge('corridor_bridge_parked_messages', 'Messages in the retry queue.')
    this.#parkedAge = metrics.gauge('corridor_bridge_parked_oldest_seconds', 'How long the oldest of them waits.')
    for (const channel of channelIds) {
      for (const status of statuses) this.#messages.inc({ channel, status }, 0)
      this.#mismatches.inc({ channel }, 0)
      this.#notTaken.inc({ channel }, 0)
    }
  }

  /** One that was ended before is run again because an operator wants it: its age says nothing of how slow messages are. */
  ended(
    { channel, receivedAt, wasEnded = false }: Pick<MessageFacts, 'channel' | 'receivedAt'> & { wasEnded?: boolean },
    outcome: Outcome | Duplicate,
    code: string | undefined,
  ): void {
    this.#messages.inc({ channel: channel.id, status: outcome.status })
    if (code !== undefined) this.#answers.inc({ channel: channel.id, code })
    const ageMs = this.#clock.now().getTime() - receivedAt.getTime()
    if (!wasEnded) this.#seconds.observe({ channel: channel.id }, ageMs / 1_000)
    if (outcome.status === 'DUPLICATE') {
      if (outcome.hasOtherContent) this.#mismatches.inc({ channel: channel.id })
      return
    }
    for (const [stage, ms] of Object.entries(outcome.stageMs)) this.#stageSeconds.observe({ stage }, ms / 1_000)
  }

  /** What has no end in the log, because nobody could write there: it is answered all the same, and its sender keeps it. */
  notTaken({ id: channel }: Pick<MessageFacts['channel'], 'id'>): void {
    this.#notTaken.inc({ channel })
  }

  /** What is seen from outside the stages between RECEIVE and DISPATCH. */
  stage(stage: 'RECEIVE' | 'ACK', ms: number): void {
    this.#stageSeconds.observe({ stage }, Math.max(0, ms) / 1_000)
  }

  queue(depth: number, oldest: Date | null): void {
    this.#parked.set(depth)
    this.#parkedAge.set(oldest === null ? 0 : (this.#clock.now().getTime() - oldest.getTime()) / 1_000)
  }
}
