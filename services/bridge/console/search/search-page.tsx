import { StatusPill } from '../../../../packages/views/components/badge.tsx'
import { Button } from '../../../../packages/views/components/button.tsx'
import { Card } from '../../../../packages/views/components/card.tsx'
import { Field } from '../../../../packages/views/components/field.tsx'
import { FormFaults } from '../../../../packages/views/components/form-faults.tsx'
import { PageHead } from '../../../../packages/views/components/page-head.tsx'
import { Pagination, type PaginationProps } from '../../../../packages/views/components/pagination.tsx'
import { PostForm } from '../../../../packages/views/components/post-form.tsx'
import { SearchInput } from './search-input.tsx'
import { Select } from '../../../../packages/views/components/select.tsx'
import { Table } from '../../../../packages/views/components/table.tsx'
import { Time } from '../../../../packages/views/components/time.tsx'
import { channelIds } from '../../pipeline/channel.ts'
import { transactionStatuses, type TransactionRow } from '../../store/transactions.ts'
import { ConsoleFrame, type FrameModel } from '../console-frame.tsx'
import {
  deadFilter,
  deadStatus,
  fieldLabels,
  hrefOfPage,
  noneWord,
  queryOf,
  searchFields,
  type SearchFaults,
  type SearchWords,
} from './search-words.ts'
import { messageWords } from '../state-words.ts'
import { durationWords } from '../transaction/transaction-words.ts'
import { messagePath } from '../transaction/message-path.ts'
import { plural } from '../numbers.ts'

export interface SearchModel extends FrameModel {
  readonly words: SearchWords
  /** What is wrong with them: then nothing was searched for. */
  readonly faults?: SearchFaults
  readonly found?: Found
}

interface Found {
  readonly rows: readonly TransactionRow[]
  readonly page: PaginationProps['page']
  /** There are more than were counted. */
  readonly isCut: boolean
}

/** The transaction log, by whatever is known of a message. */
export function SearchPage({ model }: { readonly model: SearchModel }) {
  const { words, faults = {}, found } = model
  return (
    <ConsoleFrame model={model} title="Messages" here="search">
      <PageHead title="Messages" lead="Everything that came in, the newest first." />
      {found === undefined && (
        <FormFaults title="This search cannot be carried out" fields={fieldsOf(faults)} labels={fieldLabels} />
      )}
      <SearchForm words={words} faults={faults} />
      {found !== undefined && <FoundCard words={words} {...found} />}
    </ConsoleFrame>
  )
}

/** In the order of the form. */
const fieldsOf = (faults: SearchFaults) =>
  searchFields.flatMap((path) => (faults[path] === undefined ? [] : [{ path, message: faults[path] }]))

function FoundCard({ words, rows, page, isCut }: Found & Pick<SearchModel, 'words'>) {
  const canRetry = page.totalElements > 0 && deadFilter(words) !== undefined
  return (
    <Card
      flush
      title={<CountTitle page={page} isCut={isCut} />}
      actions={canRetry && <RetryFound words={words} total={page.totalElements} />}
    >
      <Table
        label="Messages"
        stacks
        rows={rows}
        empty={{
          title: 'No message is like that',
          children: 'Take away a condition, or look at other days. A message shows here as soon as it is received.',
        }}
        columns={[
          {
            heading: 'Received',
            kind: 'date',
            cell: ({ id, received_at }) => (
              <a href={messagePath(id)}>
                <Time at={received_at} precision="second" />
              </a>
            ),
          },
          { heading: 'Status', cell: (row) => <StatusAndError {...row} /> },
          { heading: 'Type', kind: 'id', cell: ({ message_type }) => <bdi>{message_type}</bdi> },
          {
            heading: 'From',
            cell: ({ facility_code, sending_facility }) => <bdi>{(facility_code ?? sending_facility) || noneWord}</bdi>,
          },
          { heading: 'Control id', kind: 'id', cell: ({ control_id }) => <bdi class="clip">{control_id}</bdi> },
          { heading: 'Patient', kind: 'id', cell: ({ patient }) => <Patient patient={patient} /> },
          {
            heading: 'Took',
            kind: 'number',
            cell: ({ duration_ms }) => (duration_ms === null ? '–' : durationWords(duration_ms)),
          },
        ]}
      />
      <Pagination page={page} hrefOf={(number) => hrefOfPage(words, number, page)} />
    </Card>
  )
}

/** In a batch, like those of one cause: it can be followed and stopped. */
function RetryFound({ words, total }: Pick<SearchModel, 'words'> & { readonly total: number }) {
  return (
    <PostForm action="/console/dead-letters/retry">
      <input type="hidden" name="search" value={queryOf(words)} />
      <Button label={`Retry ${plural(total, 'dead letter')}`}>Retry {total === 1 ? 'it' : 'them'}</Button>
    </PostForm>
  )
}

export function Status({ status }: Pick<TransactionRow, 'status'>) {
  return <StatusPill tone={messageWords[status].tone}>{messageWords[status].label}</StatusPill>
}

function StatusAndError({ status, error_code }: Pick<TransactionRow, 'status' | 'error_code'>) {
  return (
    <div>
      <Status status={status} />
      {error_code !== null && <code class="under">{error_code}</code>}
    </div>
  )
}

function Patient({ patient }: Pick<TransactionRow, 'patient'>) {
  return patient === null ? <>–</> : <bdi class="clip">{patient.replace(/^Patient\//, '')}</bdi>
}

function CountTitle({ page: { totalElements }, isCut }: Pick<Found, 'page' | 'isCut'>) {
  const found = plural(totalElements, 'message')
  return <>{isCut ? `More than ${found}` : found}</>
}

const any = { value: '', label: 'Any' }

function SearchForm({ words, faults }: { readonly words: SearchWords; readonly faults: SearchFaults }) {
  return (
    <search>
      <form class="form message-search" action="/console/messages" method="get">
        <SearchInput value={words.q} error={faults.q} />
        <Field name="controlId" label={fieldLabels.controlId} value={words.controlId} maxLength={200} />
        <Field name="patientId" label={fieldLabels.patientId} value={words.patientId} maxLength={200} />
        <Field name="facilityCode" label={fieldLabels.facilityCode} value={words.facilityCode} maxLength={200} />
        <Field name="messageType" label={fieldLabels.messageType} value={words.messageType} maxLength={20} />
        <Select
          name="status"
          label={fieldLabels.status}
          error={faults.status}
          value={words.status}
          options={[
            any,
            ...transactionStatuses.map((value) => ({ value, label: messageWords[value].label })),
            { value: deadStatus, label: 'Dead letter' },
          ]}
        />
        <Select
          name="channelId"
          label={fieldLabels.channelId}
          error={faults.channelId}
          value={words.channelId}
          options={[any, ...channelIds.map((value) => ({ value, label: value.toUpperCase() }))]}
        />
        <Field name="errorCode" label={fieldLabels.errorCode} value={words.errorCode} maxLength={200} />
        <Field name="from" label={fieldLabels.from} type="date" value={words.from} error={faults.from} />
        <Field name="to" label={fieldLabels.to} type="date" value={words.to} error={faults.to} />
        <div class="actions">
          <Button look="primary">Search</Button>
          <Button href="/console/messages">Clear</Button>
        </div>
      </form>
    </search>
  )
}
