import { Sparkline } from '../../../../packages/views/components/sparkline.tsx'
import { StatCard } from '../../../../packages/views/components/stat-card.tsx'
import { historyMinutes, type FlowNow } from './flow-figures.ts'
import { count, duration, milliseconds, plural } from '../numbers.ts'

export function FlowStats({ now }: { readonly now: FlowNow }) {
  const { history, queue } = now
  const answer = now.stages.find(({ stage }) => stage === 'ALL')
  const [value, unit] = answer === undefined ? ['–'] : milliseconds(answer.p50).split(' ')
  const waitsMs = queue.oldest === null ? 0 : now.at.getTime() - queue.oldest.getTime()
  return (
    <div class="stats">
      <StatCard label="Messages in the last minute" value={count(now.lastMinute)}>
        <Sparkline text={rangeOf('Messages a minute', history.received, count)} values={history.received} />
      </StatCard>
      <StatCard label="Median time to the answer" value={value ?? '–'} {...(unit === undefined ? {} : { unit })}>
        <Sparkline text={rangeOf('Median time', history.medianMs, milliseconds)} values={history.medianMs} />
      </StatCard>
      <StatCard
        label="In the retry queue"
        value={count(queue.depth)}
        tone={queue.depth === 0 ? 'neutral' : 'warning'}
        href="/console/messages?status=QUEUED"
        detail={queue.depth === 0 ? 'nothing waits' : `the oldest for ${duration(waitsMs)}`}
      />
      <StatCard
        label="Failed within a day"
        value={count(now.failed)}
        tone={now.failed === 0 ? 'neutral' : 'bad'}
        href="/console/dead-letters"
        detail={now.failed === 0 ? 'older ones: see the dead letters' : 'not sent again since: see the dead letters'}
      />
      <StatCard
        label="Deliveries waiting"
        value={count(now.deliveriesWaiting)}
        tone={now.deliveriesDead > 0 ? 'bad' : 'neutral'}
        href="/console/subscriptions"
        detail={
          now.deliveriesDead === 0
            ? 'none given up'
            : `${plural(now.deliveriesDead, 'delivery', 'deliveries')} given up`
        }
      />
    </div>
  )
}

/** A sparkline in words, for whoever does not see it. */
export function rangeOf(what: string, values: readonly number[], words: (value: number) => string): string {
  const last = values.at(-1)
  if (last === undefined) return `No messages in the last ${historyMinutes} minutes`
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  return `${what} over the last ${historyMinutes} minutes: lowest ${words(lowest)}, highest ${words(highest)}, last ${words(last)}`
}
