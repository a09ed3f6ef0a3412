import { Alert } from '../../../../packages/views/components/alert.tsx'
import { Button } from '../../../../packages/views/components/button.tsx'
import type { BackgroundQueue } from '../../../../packages/sql/tasks/background-queues.ts'
import type { FlowModel } from './flow-model.ts'
import { count, duration } from '../numbers.ts'
import { silentMinutes } from '../channels/silence.ts'
import { deliveryTopic } from '../../outbound/delivery.ts'
import { backgroundWords, dependencyWords } from '../state-words.ts'

/** What needs somebody. Nothing is shown while all is well. */
export function FlowAlerts({
  flow: { breakers, channels, now },
}: {
  readonly flow: Pick<FlowModel, 'breakers' | 'channels' | 'now'>
}) {
  const { openAlerts } = now
  const stuck = now.background.filter((queue) => isStuck(queue, now.at))
  const broken = channels.filter(({ channel }) => channel.status === 'ERROR')
  const silent = channels.filter(({ isSilent }) => isSilent)
  const namesOf = (rows: typeof channels) => rows.map(({ channel }) => channel.messageType).join(', ')
  const isWell =
    openAlerts === 0 &&
    broken.length === 0 &&
    silent.length === 0 &&
    stuck.length === 0 &&
    [...breakers.values()].every((state) => state === 'CLOSED')
  if (isWell) return null
  return (
    <div class="alerts">
      {openAlerts > 0 && (
        <Alert
          tone="warning"
          title={`${openAlerts} critical ${openAlerts === 1 ? 'result waits' : 'results wait'} to be acknowledged`}
          actions={<Button href="/console/alerts">See the results</Button>}
        >
          Somebody further up is told of each that nobody acknowledges.
        </Alert>
      )}
      {[...breakers]
        .filter(([, state]) => state !== 'CLOSED')
        .map(([name, state]) => (
          <Alert
            key={name}
            tone={state === 'OPEN' ? 'bad' : 'warning'}
            title={`${dependencyWords[name].name}: ${state === 'OPEN' ? 'does not answer' : 'is being tried again'}`}
            actions={<Button href="/console/breakers">See the breakers</Button>}
          >
            {dependencyWords[name].whenOpen}
          </Alert>
        ))}
      {stuck.map((queue) => (
        <Stuck key={queue.queue} queue={queue} at={now.at} />
      ))}
      {broken.length > 0 && (
        <Alert
          tone="bad"
          title={`Cannot listen: ${namesOf(broken)}`}
          actions={<Button href="/console/channels">See the channels</Button>}
        >
          Another program may hold the port. It is tried again every two seconds.
        </Alert>
      )}
      {silent.length > 0 && (
        <Alert
          tone="warning"
          title={`Silent: ${namesOf(silent)}`}
          actions={<Button href="/console/channels">See the channels</Button>}
        >
          No message for {silentMinutes} minutes or more, at a time when there usually are some.
        </Alert>
      )}
    </div>
  )
}

/** As the alerts CorridorBackgroundStuck and CorridorBackgroundDead have it; deliveries have a figure of their own. */
function isStuck({ queue, oldest, dead }: BackgroundQueue, at: Date): boolean {
  if (queue === deliveryTopic) return false
  return dead > 0 || (oldest !== null && at.getTime() - oldest.getTime() > stuckMs)
}

const stuckMs = 15 * 60_000

function Stuck({
  queue: { queue, waiting, oldest, dead },
  at,
}: {
  readonly queue: BackgroundQueue
  readonly at: Date
}) {
  const { what, needs } = backgroundWords[queue] ?? { what: queue, needs: 'The log says why.' }
  const since = oldest === null ? '' : `, the oldest for ${duration(at.getTime() - oldest.getTime())}`
  const title = dead > 0 ? `${what}: ${count(dead)} given up` : `${what}: ${count(waiting)} waiting${since}`
  return (
    <Alert tone={dead > 0 ? 'bad' : 'warning'} title={title}>
      {needs} Nothing of it is lost.{' '}
      {dead > 0 && (
        <>
          <code class="wrap">corridor background dead {queue}</code> says why it was given up.
        </>
      )}
    </Alert>
  )
}
