import type { ComponentChildren } from 'preact'
import { pageQueryTo } from '../../../packages/http/page-envelope.ts'
import { Alert } from '../../../packages/views/components/alert.tsx'
import { Badge } from '../../../packages/views/components/badge.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { Field } from '../../../packages/views/components/field.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Pagination, type PaginationProps } from '../../../packages/views/components/pagination.tsx'
import { PostForm } from '../../../packages/views/components/post-form.tsx'
import { Table } from '../../../packages/views/components/table.tsx'
import { Tabs } from '../../../packages/views/components/tabs.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import type { UnmappedCodeRow } from '../store/unmapped-codes.ts'
import { ConsoleFrame, type FrameModel } from './console-frame.tsx'
import { count } from './numbers.ts'

export interface UnmappedModel extends FrameModel {
  readonly status: 'open' | 'mapped'
  readonly rows: readonly UnmappedCodeRow[]
  readonly page: PaginationProps['page']
  /** What the reader's last step did. */
  readonly done?: {
    readonly code: string
    readonly mappedCode: string
    readonly rerun: number
    readonly following: number
  }
}

/** Codes of senders that nobody has translated yet, each with a form that says what it means. */
export function UnmappedPage({ model }: { readonly model: UnmappedModel }) {
  const { status, rows, page, done } = model
  return (
    <CodesFrame model={model} status={status}>
      {done !== undefined && <Done {...done} />}
      {status === 'open' ? <OpenCodes rows={rows} /> : <MappedCodes rows={rows} />}
      <Pagination page={page} hrefOf={(number) => `/console/codes?status=${status}&${pageQueryTo(number, page)}`} />
    </CodesFrame>
  )
}

export interface OneCodeModel extends FrameModel {
  readonly row: UnmappedCodeRow
  /** What the reader wrote, and what is wrong with it. */
  readonly given?: { readonly code: string; readonly display: string; readonly error: string }
}

/** One code by itself: to be changed, or put right after a mistake. */
export function OneCodePage({ model }: { readonly model: OneCodeModel }) {
  const { row, given } = model
  return (
    <CodesFrame model={model} status={row.mapped_at === null ? 'open' : 'mapped'}>
      <div class="code-cards">
        <CodeCard row={row} given={given} />
      </div>
    </CodesFrame>
  )
}

interface CodesFrameProps {
  readonly model: FrameModel
  readonly status: UnmappedModel['status']
  readonly children: ComponentChildren
}

function CodesFrame({ model, status, children }: CodesFrameProps) {
  return (
    <ConsoleFrame model={model} title="Unmapped codes" here="unmapped">
      <PageHead
        title="Unmapped codes"
        lead="Say once what a sender’s code means: it is translated from then on, and its messages are run again."
      />
      <Tabs
        label="Which codes"
        items={[
          { label: 'Open', href: '/console/codes', current: status === 'open' },
          { label: 'Mapped', href: '/console/codes?status=mapped', current: status === 'mapped' },
        ]}
      />
      {children}
    </ConsoleFrame>
  )
}

function Done({ code, mappedCode, rerun, following }: NonNullable<UnmappedModel['done']>) {
  return (
    <Alert
      urgent
      tone="good"
      title={
        <>
          <bdi>{code}</bdi> is mapped to <bdi>{mappedCode}</bdi>.
        </>
      }
    >
      {wordsOfRerun(rerun, following)}
    </Alert>
  )
}

function wordsOfRerun(rerun: number, following: number): string {
  if (following > 0) {
    return `${count(rerun)} of ${count(rerun + following)} messages were run again with it so far; the others follow, the oldest first.`
  }
  if (rerun === 0) return 'No message had to be run again.'
  return `${count(rerun)} ${rerun === 1 ? 'message was' : 'messages were'} run again with it.`
}

function OpenCodes({ rows }: Pick<UnmappedModel, 'rows'>) {
  if (rows.length === 0) {
    return (
      <Card>
        <EmptyState title="Every code is known">
          A code that has no counterpart appears here when a message brings it.
        </EmptyState>
      </Card>
    )
  }
  return (
    <div class="code-cards">
      {rows.map((row) => (
        <CodeCard key={row.id} row={row} />
      ))}
    </div>
  )
}

function CodeCard({ row, given }: Pick<OneCodeModel, 'row'> & { readonly given?: OneCodeModel['given'] | undefined }) {
  const step = row.mapped_code === null ? 'Map it' : 'Change it'
  const { code, display } = given ?? { code: row.mapped_code ?? '', display: row.mapped_display ?? '' }
  return (
    <Card title={<CodeTitle {...row} />}>
      <p class="facts">
        <span>
          From <bdi>{row.sending_application}</bdi> at <bdi>{row.sending_facility}</bdi>
        </span>
        <span>
          Last in <code>{row.path}</code>, <Time at={row.last_seen_at} />
        </span>
        <span>
          Wanted in <bdi class="wrap">{row.target}</bdi>
        </span>
        {row.mapped_code !== null && (
          <span>
            Mapped to <bdi>{row.mapped_code}</bdi>. Messages that came since then keep what they were given.
          </span>
        )}
      </p>
      <PostForm class="code-form" action={`/console/codes/${row.id}/map`}>
        {row.mapped_code !== null && <input type="hidden" name="replaces" value={row.mapped_code} />}
        <Field
          id={`code-${row.id}`}
          name="code"
          label="Code"
          value={code}
          error={given && `It ${given.error}.`}
          maxLength={200}
          required
        />
        <Field id={`display-${row.id}`} name="display" label="What it means" value={display} maxLength={500} />
        <Button look="primary" label={`${step}: ${row.code} of ${row.sending_facility}`}>
          {step}
        </Button>
      </PostForm>
    </Card>
  )
}

function CodeTitle({ code, display, uses }: UnmappedCodeRow) {
  const times = Number(uses)
  return (
    <>
      <code>
        <bdi>{code}</bdi>
      </code>{' '}
      <bdi>{display}</bdi> <Badge>{times === 1 ? 'once' : `${count(times)} times`}</Badge>
    </>
  )
}

function MappedCodes({ rows }: Pick<UnmappedModel, 'rows'>) {
  return (
    <Card flush>
      <Table
        label="Mapped codes"
        stacks
        rows={rows}
        empty={{ title: 'Nothing was mapped here yet' }}
        columns={[
          { heading: 'Code', kind: 'id', cell: ({ code }) => <bdi>{code}</bdi> },
          { heading: 'Sender', cell: ({ sending_facility }) => <bdi>{sending_facility}</bdi> },
          { heading: 'Mapped to', kind: 'id', cell: ({ mapped_code }) => <bdi>{mapped_code}</bdi> },
          { heading: 'Meaning', cell: ({ mapped_display }) => <bdi>{mapped_display}</bdi> },
          { heading: 'By', cell: ({ mapped_by }) => <bdi>{mapped_by}</bdi> },
          { heading: 'At', kind: 'date', cell: ({ mapped_at }) => mapped_at !== null && <Time at={mapped_at} /> },
          {
            heading: 'Change',
            cell: ({ id, code }) => (
              <Button href={`/console/codes/${id}`} label={`Change what ${code} means`}>
                Change
              </Button>
            ),
          },
        ]}
      />
    </Card>
  )
}
