import { pageQueryTo } from '../../../../packages/http/page-envelope.ts'
import { Alert } from '../../../../packages/views/components/alert.tsx'
import { Button } from '../../../../packages/views/components/button.tsx'
import { Card } from '../../../../packages/views/components/card.tsx'
import { PageHead } from '../../../../packages/views/components/page-head.tsx'
import { Pagination, type PaginationProps } from '../../../../packages/views/components/pagination.tsx'
import { PostForm } from '../../../../packages/views/components/post-form.tsx'
import { Table } from '../../../../packages/views/components/table.tsx'
import { Tabs } from '../../../../packages/views/components/tabs.tsx'
import { Time } from '../../../../packages/views/components/time.tsx'
import type { Alert as CriticalResult, AlertStatus } from '../../coordination/store/alerts.ts'
import { alertFacts, nameOfAlert } from './alert-facts.tsx'
import type { AlertTexts } from './alert-texts.ts'
import { ConsoleFrame, type FrameModel } from '../console-frame.tsx'

export interface AlertsModel extends FrameModel {
  readonly status: AlertStatus
  readonly rows: readonly CriticalResult[]
  /** What they say, as far as the reader may see it; undefined while the store is away. */
  readonly texts: AlertTexts | undefined
  readonly page: PaginationProps['page']
  /** Whether the reader's last step was to acknowledge one. */
  readonly isDone: boolean
}

/** Critical results that somebody must have seen, each with a button that says so. */
export function AlertsPage({ model }: { readonly model: AlertsModel }) {
  const { status, rows, texts, page, isDone } = model
  return (
    <ConsoleFrame model={model} title="Critical results" here="alerts">
      <PageHead
        title="Critical results"
        lead="Somebody further up is told of a result that nobody acknowledges. Acknowledge one when a clinician has it."
      />
      {isDone && (
        <Alert urgent tone="good" title="The result is acknowledged.">
          Nobody further up is told of it any more.
        </Alert>
      )}
      {texts === undefined && rows.length > 0 && (
        <Alert tone="warning" title="What the results say cannot be read now.">
          The record cannot be reached. The list is whole, and a result can be acknowledged by whoever has heard of it.
        </Alert>
      )}
      <Tabs
        label="Which results"
        items={[
          { label: 'Open', href: '/console/alerts', current: status === 'open' },
          { label: 'Acknowledged', href: '/console/alerts?status=acknowledged', current: status === 'acknowledged' },
        ]}
      />
      {status === 'open' ? <OpenResults model={model} /> : <SeenResults model={model} />}
      <Pagination page={page} hrefOf={(number) => `/console/alerts?status=${status}&${pageQueryTo(number, page)}`} />
    </ConsoleFrame>
  )
}

function OpenResults({ model }: { readonly model: AlertsModel }) {
  return (
    <Card flush>
      <Table
        label="Open critical results"
        stacks
        rows={model.rows}
        empty={{
          title: 'Every critical result was acknowledged',
          children: 'A result that is marked HH, LL or AA appears here as soon as its message is stored.',
        }}
        columns={[
          { heading: 'Waiting since', kind: 'date', cell: ({ raisedAt }) => <Time at={raisedAt} /> },
          ...alertFacts(model),
          { heading: 'Escalated', cell: escalatedWords },
          { heading: 'Acknowledge', cell: (alert) => acknowledgeForm(alert, model) },
        ]}
      />
    </Card>
  )
}

const escalatedWords = ({ escalations, escalateAt }: CriticalResult) => (
  <span>
    {escalations === 0 ? 'Not yet' : escalations === 1 ? 'Once' : `${escalations} times`}
    {escalateAt === null ? (
      ', no more'
    ) : (
      <>
        , next <Time at={escalateAt} />
      </>
    )}
  </span>
)

const acknowledgeForm = (alert: CriticalResult, { texts }: AlertsModel) => (
  <PostForm action={`/console/alerts/${alert.id}/acknowledge`}>
    <Button label={`Acknowledge ${nameOfAlert(alert, texts)}`}>Acknowledge</Button>
  </PostForm>
)

function SeenResults({ model }: { readonly model: AlertsModel }) {
  return (
    <Card flush>
      <Table
        label="Acknowledged critical results"
        stacks
        rows={model.rows}
        empty={{ title: 'Nothing was acknowledged here yet' }}
        columns={[
          {
            heading: 'Acknowledged',
            kind: 'date',
            cell: ({ acknowledgedAt }) => acknowledgedAt !== null && <Time at={acknowledgedAt} />,
          },
          { heading: 'By', cell: ({ acknowledgedBy }) => <bdi>{acknowledgedBy}</bdi> },
          ...alertFacts(model),
          { heading: 'Raised', kind: 'date', cell: ({ raisedAt }) => <Time at={raisedAt} /> },
        ]}
      />
    </Card>
  )
}
