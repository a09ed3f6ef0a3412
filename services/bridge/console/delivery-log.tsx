import { StatusPill } from '../../../packages/views/components/badge.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import type { EmptyStateProps } from '../../../packages/views/components/empty-state.tsx'
import { PostForm } from '../../../packages/views/components/post-form.tsx'
import { Table } from '../../../packages/views/components/table.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import { isWorthSending, type Delivery } from '../outbound/delivery.ts'
import { count } from './numbers.ts'
import { deliveryWords } from './state-words.ts'
import { messagePath } from './transaction/message-path.ts'

interface DeliveryLogProps {
  readonly deliveries: readonly Delivery[]
  /** The page of their subscription. */
  readonly path: string
  readonly empty: EmptyStateProps
  readonly superseded: ReadonlySet<string>
}

export function DeliveryLog({ deliveries, path, empty, superseded }: DeliveryLogProps) {
  return (
    <Table
      label="Deliveries"
      rows={deliveries}
      stacks
      empty={empty}
      columns={[
        { heading: 'Created', kind: 'date', cell: ({ createdAt }) => <Time at={createdAt} precision="second" /> },
        {
          heading: 'Resource',
          cell: ({ resource, versionId }) => (
            <span>
              <code>{resource}</code>
              {versionId !== null && <span class="under">Version {versionId}</span>}
            </span>
          ),
        },
        {
          heading: 'Message',
          cell: ({ transactionId }) => <a href={messagePath(transactionId)}>See the message</a>,
        },
        {
          heading: 'State',
          cell: ({ status }) => (
            <StatusPill tone={deliveryWords[status].tone}>{deliveryWords[status].label}</StatusPill>
          ),
        },
        { heading: 'Attempts', kind: 'number', cell: ({ attempts }) => count(attempts) },
        { heading: 'Result', cell: (delivery) => <Result delivery={delivery} /> },
        {
          heading: 'Send again',
          cell: (delivery) => {
            if (!isWorthSending(delivery)) return '–'
            if (superseded.has(delivery.id)) return 'A newer version was sent'
            return (
              <PostForm action={`${path}/deliveries/${delivery.id}/resend`}>
                <Button>Send again</Button>
              </PostForm>
            )
          },
        },
      ]}
    />
  )
}

function Result({
  delivery: { status, answered, lastError, nextAttemptAt, settledAt, resentAt, resentBy },
}: {
  readonly delivery: Delivery
}) {
  return (
    <span>
      {status === 'delivered' ? `Answered ${answered ?? 'well'}` : <bdi>{lastError ?? 'Not tried yet'}</bdi>}
      {status === 'waiting' && nextAttemptAt !== null && (
        <span class="under">
          Next at <Time at={nextAttemptAt} precision="second" />
        </span>
      )}
      {resentAt !== null && (
        <span class="under">
          Sent again by <bdi>{resentBy}</bdi> <Time at={resentAt} precision="second" />
        </span>
      )}
      {settledAt !== null && (
        <span class="under">
          <Time at={settledAt} precision="second" />
        </span>
      )}
    </span>
  )
}
