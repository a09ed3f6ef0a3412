import { Badge, StatusPill } from '../../../packages/views/components/badge.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Table } from '../../../packages/views/components/table.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import type { DeliveryCounts } from '../outbound/store/deliveries.ts'
import { deliveryChannels, type ListedSubscription } from '../subscriptions/subscription.ts'
import { ConsoleFrame, type FrameModel } from './console-frame.tsx'
import { count } from './numbers.ts'
import { deliveryChannelWords } from './state-words.ts'

export interface SubscriptionRow {
  readonly subscription: ListedSubscription
  readonly counts: Omit<DeliveryCounts, 'subscriptionId'>
}

interface SubscriptionsModel extends FrameModel {
  readonly rows: readonly SubscriptionRow[]
}

export function SubscriptionsPage({ model }: { readonly model: SubscriptionsModel }) {
  const { rows } = model
  return (
    <ConsoleFrame model={model} title="Subscriptions" here="subscriptions">
      <PageHead
        title="Subscriptions"
        lead="Who is told of what. They are FHIR resources: change them in the FHIR server, and the bridge follows within half a minute."
      />
      <Card flush>
        <Table
          label="Subscriptions"
          rows={rows}
          stacks
          empty={{
            title: 'Nobody is subscribed',
            children:
              'Subscriptions with status active or requested in the FHIR server appear here. In production those that came along are off until somebody names their receivers.',
          }}
          columns={[
            {
              heading: 'Subscription',
              cell: ({ subscription: { id, reason } }) => (
                <span>
                  <a href={`/console/subscriptions/${encodeURIComponent(id)}`}>
                    <bdi>{reason}</bdi>
                  </a>
                  <span class="under">{id}</span>
                </span>
              ),
            },
            { heading: 'Criteria', cell: ({ subscription }) => <Criteria of={subscription} /> },
            {
              heading: 'Sent as',
              cell: ({ subscription }) => <Badge>{channelWord(subscription)}</Badge>,
            },
            { heading: 'State', cell: ({ subscription }) => <SubscriptionState of={subscription} /> },
            { heading: 'Delivered', kind: 'number', cell: ({ counts }) => count(counts.delivered) },
            { heading: 'Waiting', kind: 'number', cell: ({ counts }) => count(counts.waiting) },
            {
              heading: 'Given up',
              kind: 'number',
              cell: ({ counts: { dead } }) => (dead === 0 ? '0' : <Badge tone="bad">{count(dead)}</Badge>),
            },
            {
              heading: 'Last delivery',
              kind: 'date',
              cell: ({ counts: { lastDeliveredAt } }) =>
                lastDeliveredAt === null ? 'never' : <Time at={lastDeliveredAt} />,
            },
          ]}
        />
      </Card>
    </ConsoleFrame>
  )
}

/** Broken where an address may be: the longest have no space. */
export function Criteria({ of: { criteria } }: { readonly of: ListedSubscription }) {
  return (
    <code class="criteria">
      {criteria.split('&').flatMap((part, index) => (index === 0 ? [part] : [<wbr key={part} />, `&${part}`]))}
    </code>
  )
}

export function SubscriptionState({ of: { status, error } }: { readonly of: ListedSubscription }) {
  if (status === 'active') return <StatusPill tone="good">Active</StatusPill>
  return (
    <span>
      <StatusPill tone="bad">Does not arrive</StatusPill>
      {error !== undefined && (
        <span class="under">
          <bdi>{error}</bdi>
        </span>
      )}
    </span>
  )
}

/** One that is not served has its own word. */
export function channelWord({ channel }: ListedSubscription): string {
  const served = deliveryChannels.find((one) => one === channel)
  return served === undefined ? channel : deliveryChannelWords[served]
}
