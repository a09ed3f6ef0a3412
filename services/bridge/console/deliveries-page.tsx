import { Alert } from '../../../packages/views/components/alert.tsx'
import { StatusPill } from '../../../packages/views/components/badge.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { DefinitionList } from '../../../packages/views/components/definition-list.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Pagination, type PaginationProps } from '../../../packages/views/components/pagination.tsx'
import { Table } from '../../../packages/views/components/table.tsx'
import { Tabs } from '../../../packages/views/components/tabs.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import { deliveryStatuses, isWorthSending, type Delivery, type DeliveryStatus } from '../outbound/delivery.ts'
import { ConsoleFrame, type FrameModel } from './console-frame.tsx'
import { count, plural } from './numbers.ts'
import { deliveryWords } from './state-words.ts'
import { channelWord, Criteria, SubscriptionState, type SubscriptionRow } from './subscriptions-page.tsx'
import { messagePath } from './transaction/message-path.ts'

interface DeliveriesModel extends FrameModel {
  readonly row: SubscriptionRow
  readonly deliveries: readonly Delivery[]
  readonly page: PaginationProps['page']
  /** Only those; undefined for all. */
  readonly status: DeliveryStatus | undefined
  /** Which of them would undo a newer version at the receiver. */
  readonly superseded: ReadonlySet<string>
  /** How many the reader has just sent again; undefined where it was not asked for. */
  readonly resent: number | undefined
}

/** One subscription and its log. What was sent is not shown, nor where a short message went: both tell of patients. */
export function DeliveriesPage({ model }: { readonly model: DeliveriesModel }) {
  const { row, deliveries, page, status: shown, superseded, resent } = model
  const { subscription, counts } = row
  const path = `/console/subscriptions/${encodeURIComponent(subscription.id)}`
  return (
    <ConsoleFrame model={model} title={subscription.reason} here="subscriptions">
      <PageHead title={<bdi>{subscription.reason}</bdi>} lead={subscription.id} />
      {resent !== undefined && <Resent number={resent} left={counts.dead} />}
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
      <Tabs
        label="Which deliveries"
        items={[
          { label: 'All', href: path, current: shown === undefined },
          ...deliveryStatuses.map((status) => ({
            label: deliveryWords[status].label,
            href: `${path}?status=${status}`,
            current: shown === status,
          })),
        ]}
      />
      <Card
        title="Delivery log"
        flush
        actions={
          counts.dead > 0 && (
            <form method="post" action={`${path}/deliveries/resend`}>
              <Button>Send all given up again</Button>
            </form>
          )
        }
      >
        <Table
          label="Deliveries"
          rows={deliveries}
          stacks
          empty={
            shown === undefined
              ? {
                  title: 'Nothing was sent yet',
                  children: 'A message that meets the criteria brings the first delivery.',
                }
              : { title: 'None of them', children: 'There is no delivery in this state.' }
          }
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
                  <form method="post" action={`${path}/deliveries/${delivery.id}/resend`}>
                    <Button>Send again</Button>
                  </form>
                )
              },
            },
          ]}
        />
        <Pagination
          label="Pages of deliveries"
          page={page}
          hrefOf={(number) => `${path}?${shown === undefined ? '' : `status=${shown}&`}page=${number}`}
        />
      </Card>
    </ConsoleFrame>
  )
}

function Resent({ number, left }: { readonly number: number; readonly left: number }) {
  if (number === 0) {
    return (
      <Alert tone="info" title="Nothing was sent again" urgent>
        What is given up could not be made, or a newer version of it has been sent since.
      </Alert>
    )
  }
  const title = number === 1 ? 'It is sent again' : `${plural(number, 'delivery', 'deliveries')} are sent again`
  return (
    <Alert tone="good" title={title} urgent>
      Under the same key, so that a receiver who had it can tell. Load the page again to see how it went.
      {left > 0 && ` ${count(left)} are still given up.`}
    </Alert>
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
