import { Alert } from '../../../packages/views/components/alert.tsx'
import { StatusPill } from '../../../packages/views/components/badge.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { DefinitionList } from '../../../packages/views/components/definition-list.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Pagination, type PaginationProps } from '../../../packages/views/components/pagination.tsx'
import { Table } from '../../../packages/views/components/table.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import { isWorthSending, type Delivery } from '../outbound/delivery.ts'
import { ConsoleFrame, type FrameModel } from './console-frame.tsx'
import { count } from './numbers.ts'
import { deliveryWords } from './state-words.ts'
import { channelWord, Criteria, SubscriptionState, type SubscriptionRow } from './subscriptions-page.tsx'
import { messagePath } from './transaction/message-path.ts'

interface DeliveriesModel extends FrameModel {
  readonly row: SubscriptionRow
  readonly deliveries: readonly Delivery[]
  readonly page: PaginationProps['page']
  /** The reader has just sent one again. */
  readonly wasResent: boolean
}

/** One subscription and its log. What was sent is not shown, nor where a short message went: both tell of patients. */
export function DeliveriesPage({ model }: { readonly model: DeliveriesModel }) {
  const { row, deliveries, page, wasResent } = model
  const { subscription, counts } = row
  const path = `/console/subscriptions/${encodeURIComponent(subscription.id)}`
  return (
    <ConsoleFrame model={model} title={subscription.reason} here="subscriptions">
      <PageHead title={<bdi>{subscription.reason}</bdi>} lead={subscription.id} />
      {wasResent && (
        <Alert tone="good" title="It is sent again" urgent>
          Under the same key, so that a receiver who had it can tell. Load the page again to see how it went.
        </Alert>
      )}
      <Card title="The subscription">
        <DefinitionList
          items={[
            { term: 'State', value: <SubscriptionState of={subscription} /> },
            { term: 'Criteria', value: <Criteria of={subscription} /> },
            { term: 'Sent as', value: channelWord(subscription) },
            { term: 'Sent to', value: <code>{receiverOf(subscription)}</code> },
            {
              term: 'Deliveries',
              value: `${count(counts.delivered)} arrived, ${count(counts.waiting)} waiting, ${count(counts.dead)} given up, ${count(counts.skipped)} left out`,
            },
          ]}
        />
      </Card>
      <Card title="Delivery log" flush>
        <Table
          label="Deliveries"
          rows={deliveries}
          stacks
          empty={{
            title: 'Nothing was sent yet',
            children: 'A message that meets the criteria brings the first delivery.',
          }}
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
              cell: (delivery) =>
                isWorthSending(delivery) ? (
                  <form method="post" action={`${path}/deliveries/${delivery.id}/resend`}>
                    <Button>Send again</Button>
                  </form>
                ) : (
                  '–'
                ),
            },
          ]}
        />
        <Pagination label="Pages of deliveries" page={page} hrefOf={(number) => `${path}?page=${number}`} />
      </Card>
    </ConsoleFrame>
  )
}

const receiverOf = ({ endpoint, channel }: SubscriptionRow['subscription']): string =>
  endpoint ?? (channel === 'sms' ? 'the patient’s own number' : 'nowhere')

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
