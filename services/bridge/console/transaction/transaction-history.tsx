import { StatusPill } from '../../../../packages/views/components/badge.tsx'
import { Card } from '../../../../packages/views/components/card.tsx'
import { Table } from '../../../../packages/views/components/table.tsx'
import { Time } from '../../../../packages/views/components/time.tsx'
import type { Delivery } from '../../outbound/delivery.ts'
import { waitsForPatient } from '../../pipeline/outcome.ts'
import type { AttemptRow, TransactionStatus } from '../../store/transactions.ts'
import { deliveryWords, messageWords } from '../state-words.ts'

/** How each run after the first ended. */
export function Attempts({ attempts }: { readonly attempts: readonly AttemptRow[] }) {
  return (
    <Card flush title="Attempts">
      <Table
        label="Attempts"
        stacks
        rows={attempts}
        empty={{ title: 'It was tried once' }}
        columns={[
          { heading: 'Ended', kind: 'date', cell: ({ ended_at }) => <Time at={ended_at} precision="second" /> },
          { heading: 'Outcome', cell: ({ status }) => <AttemptStatus status={status} /> },
          { heading: 'Wanted by', cell: ({ asked_by }) => <bdi>{asked_by ?? '–'}</bdi> },
          { heading: 'Stage', cell: ({ stage }) => stage },
          { heading: 'Asked', cell: askedWords },
          {
            heading: 'Reason',
            cell: ({ error_code, error_message }) => (
              <>
                {error_code !== null && <code>{error_code}</code>} <bdi>{error_message}</bdi>
              </>
            ),
          },
        ]}
      />
    </Card>
  )
}

function askedWords({ was_called, error_code }: AttemptRow): string {
  if (was_called) return 'Yes'
  return error_code === waitsForPatient ? 'Nobody: it waited for its turn' : 'Nobody: the circuit was open'
}

function AttemptStatus({ status }: Pick<AttemptRow, 'status'>) {
  const word = Object.hasOwn(messageWords, status) ? messageWords[status as TransactionStatus] : undefined
  return <StatusPill tone={word?.tone ?? 'neutral'}>{word?.label ?? status}</StatusPill>
}

interface DeliveriesProps {
  readonly deliveries: readonly Delivery[]
  readonly hasWritten: boolean
}

/** So many are shown. */
const deliveriesMax = 40

/** Who was told of it, or is still to be: what did not arrive comes first. */
export function Deliveries({ deliveries, hasWritten }: DeliveriesProps) {
  if (deliveries.length === 0) {
    return (
      <Card title="Deliveries">
        <p class="muted">
          {hasWritten
            ? 'Nobody was told: no subscription asks for what this message wrote.'
            : 'Nobody was told: this message wrote nothing.'}
        </p>
      </Card>
    )
  }
  const shown = deliveries.toSorted((one, other) => rank(one) - rank(other)).slice(0, deliveriesMax)
  const title = shown.length < deliveries.length ? `${shown.length} of ${deliveries.length} deliveries` : 'Deliveries'
  return (
    <Card flush title={title}>
      <Table
        label="Deliveries"
        stacks
        rows={shown}
        empty={{ title: 'Nobody was told' }}
        columns={[
          {
            heading: 'Subscription',
            cell: ({ subscriptionId }) => (
              <a href={`/console/subscriptions/${encodeURIComponent(subscriptionId)}`}>
                <bdi>{subscriptionId}</bdi>
              </a>
            ),
          },
          {
            heading: 'Status',
            cell: ({ status }) => (
              <StatusPill tone={deliveryWords[status].tone}>{deliveryWords[status].label}</StatusPill>
            ),
          },
          { heading: 'What', kind: 'id', cell: ({ resource }) => <bdi class="clip">{resource}</bdi> },
          { heading: 'Where', cell: ({ endpoint }) => <bdi class="wrap">{endpoint}</bdi> },
          { heading: 'Attempts', kind: 'number', cell: ({ attempts }) => attempts },
          {
            heading: 'Answer',
            cell: ({ answered, lastError, status }) => (
              <bdi>{status === 'delivered' ? answered : (lastError ?? answered)}</bdi>
            ),
          },
          { heading: 'At', kind: 'date', cell: ({ settledAt, createdAt }) => <Time at={settledAt ?? createdAt} /> },
        ]}
      />
    </Card>
  )
}

const rank = ({ status }: Delivery): number => (status === 'dead' ? 0 : status === 'waiting' ? 1 : 2)
