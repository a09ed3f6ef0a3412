import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Pagination, type PaginationProps } from '../../../packages/views/components/pagination.tsx'
import { Table, type Column } from '../../../packages/views/components/table.tsx'
import { Tabs } from '../../../packages/views/components/tabs.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import type { Alert as CriticalResult, AlertStatus } from '../coordination/store/alerts.ts'
import { ConsoleFrame, type FrameModel } from './console-frame.tsx'
import { messagePath } from './transaction/message-path.ts'

export interface AlertsModel extends FrameModel {
  readonly status: AlertStatus
  readonly rows: readonly CriticalResult[]
  readonly page: PaginationProps['page']
  /** Whether the reader's last step was to acknowledge one. */
  readonly isDone: boolean
}

/** Critical results that somebody must have seen, each with a button that says so. */
export function AlertsPage({ model }: { readonly model: AlertsModel }) {
  const { status, page, isDone } = model
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
      <Tabs
        label="Which results"
        items={[
          { label: 'Open', href: '/console/alerts', current: status === 'open' },
          { label: 'Acknowledged', href: '/console/alerts?status=acknowledged', current: status === 'acknowledged' },
        ]}
      />
      {status === 'open' ? <OpenResults {...model} /> : <SeenResults {...model} />}
      <Pagination page={page} hrefOf={(number) => `/console/alerts?status=${status}&page=${number}`} />
    </ConsoleFrame>
  )
}

/** Ids only: who it is and what was found is in the message, where each look is recorded. */
const facts: readonly Column<CriticalResult>[] = [
  {
    heading: 'Result',
    cell: ({ resource, patient, transactionId }) => (
      <span>
        <a href={messagePath(transactionId)} aria-label={`See it in its message: ${resource}`}>
          See it in its message
        </a>
        <span class="under wrap">
          <bdi>{resource}</bdi> of <bdi>{patient}</bdi>
        </span>
      </span>
    ),
  },
]

function OpenResults({ rows }: Pick<AlertsModel, 'rows'>) {
  return (
    <Card flush>
      <Table
        label="Open critical results"
        stacks
        rows={rows}
        empty={{
          title: 'Every critical result was acknowledged',
          children: 'A result that is marked HH, LL or AA appears here as soon as its message is stored.',
        }}
        columns={[
          { heading: 'Waiting since', kind: 'date', cell: ({ raisedAt }) => <Time at={raisedAt} /> },
          ...facts,
          { heading: 'Escalated', cell: escalatedWords },
          { heading: 'Acknowledge', cell: acknowledgeForm },
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

const acknowledgeForm = ({ id, resource }: CriticalResult) => (
  <form method="post" action={`/console/alerts/${id}/acknowledge`}>
    <Button label={`Acknowledge ${resource}`}>Acknowledge</Button>
  </form>
)

function SeenResults({ rows }: Pick<AlertsModel, 'rows'>) {
  return (
    <Card flush>
      <Table
        label="Acknowledged critical results"
        stacks
        rows={rows}
        empty={{ title: 'Nothing was acknowledged here yet' }}
        columns={[
          {
            heading: 'Acknowledged',
            kind: 'date',
            cell: ({ acknowledgedAt }) => acknowledgedAt !== null && <Time at={acknowledgedAt} />,
          },
          { heading: 'By', cell: ({ acknowledgedBy }) => <bdi>{acknowledgedBy}</bdi> },
          ...facts,
          { heading: 'Raised', kind: 'date', cell: ({ raisedAt }) => <Time at={raisedAt} /> },
        ]}
      />
    </Card>
  )
}
