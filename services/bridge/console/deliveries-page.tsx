import { pageQueryTo } from '../../../packages/http/page-envelope.ts'
import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { DefinitionList } from '../../../packages/views/components/definition-list.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Pagination, type PaginationProps } from '../../../packages/views/components/pagination.tsx'
import { PostForm } from '../../../packages/views/components/post-form.tsx'
import { Tabs } from '../../../packages/views/components/tabs.tsx'
import { deliveryStatuses, type Delivery, type DeliveryStatus } from '../outbound/delivery.ts'
import { ConsoleFrame, type FrameModel } from './console-frame.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { count, plural } from './numbers.ts'
import { deliveryWords } from './state-words.ts'
import { channelWord, Criteria, SubscriptionState, type SubscriptionRow } from './subscriptions-page.tsx'

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
      <SubscriptionCard row={row} />
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
            <PostForm action={`${path}/deliveries/resend`}>
              <Button>Send all given up again</Button>
            </PostForm>
          )
        }
      >
        <DeliveryLog
          deliveries={deliveries}
          path={path}
          empty={shown === undefined ? nothingSent : noneOfThem}
          superseded={superseded}
        />
        <Pagination
          label="Pages of deliveries"
          page={page}
          hrefOf={(number) => `${path}?${shown === undefined ? '' : `status=${shown}&`}${pageQueryTo(number, page)}`}
        />
      </Card>
    </ConsoleFrame>
  )
}

const nothingSent = {
  title: 'Nothing was sent yet',
  children: 'A message that meets the criteria brings the first delivery.',
}
const noneOfThem = { title: 'None of them', children: 'There is no delivery in this state.' }

function SubscriptionCard({ row: { subscription, counts } }: Pick<DeliveriesModel, 'row'>) {
  return (
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
