import type { DocsAnswer, DocsOperation, DocsParameter } from '../http/docs/docs-model.ts'
import { Badge } from './components/badge.tsx'
import { CodeBlock } from './components/code-block.tsx'
import { Table } from './components/table.tsx'
import type { Column } from './components/table.tsx'
import type { Tone } from './components/tone.ts'
import { docsFilterText } from './docs-filter-text.ts'
import { exampleCall, parsed } from './example-call.ts'
import { schemaRows, typeInWords } from './schema-rows.ts'
import type { SchemaRow } from './schema-rows.ts'

/** One operation: who may call it, what it takes, what it answers, and a call to paste. */
export function DocsOperationCard({
  operation,
  baseUrl,
}: {
  readonly operation: DocsOperation
  readonly baseUrl: string
}) {
  const { id, method, path, summary, description, who, parameters, body, answers } = operation
  return (
    <article class="card operation" id={id} data-filter-text={docsFilterText(operation)}>
      <header>
        <h3>{summary}</h3>
        <p class="operation-path">
          <Badge tone={methodTones[method] ?? 'neutral'}>{method}</Badge>
          <code>{path}</code>
        </p>
      </header>
      {description !== undefined && <p>{description}</p>}
      <p class="facts">
        <span>
          Who may call it: <strong>{who}</strong>
        </span>
      </p>
      {parameters.length > 0 && (
        <div>
          <h4>Parameters</h4>
          <Table
            label={`Parameters of ${summary}`}
            columns={withMeaning(parameterColumns, parameters)}
            rows={parameters}
            empty={{ title: 'None' }}
          />
        </div>
      )}
      {body !== undefined && (
        <div>
          <h4>Body, {body.mediaTypes.join(' or ')}</h4>
          <SchemaTable label={`Body of ${summary}`} schema={body.schema} />
        </div>
      )}
      <div>
        <h4>Answers</h4>
        {answers.map((answer) => (
          <Answer key={answer.status} answer={answer} summary={summary} />
        ))}
      </div>
      <div>
        <h4>Example</h4>
        <CodeBlock label={`Example call of ${summary}`} code={exampleCall(operation, baseUrl)} />
      </div>
    </article>
  )
}

const methodTones: Readonly<Record<string, Tone>> = {
  GET: 'info',
  POST: 'good',
  PUT: 'warning',
  PATCH: 'warning',
  DELETE: 'bad',
}

const parameterColumns: readonly Column<DocsParameter>[] = [
  { heading: 'Name', kind: 'id', cell: ({ name }) => name },
  { heading: 'In', cell: (parameter) => parameter.in },
  { heading: 'Type', cell: ({ type, required }) => (required ? type : `${type}, optional`) },
]

const memberColumns: readonly Column<SchemaRow>[] = [
  { heading: 'Member', kind: 'id', cell: ({ name }) => name },
  { heading: 'Type', cell: ({ type, required }) => (required ? type : `${type}, optional`) },
]

/** A column of meanings only where one of the rows has one. */
function withMeaning<Row extends { readonly description: string | undefined }>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): readonly Column<Row>[] {
  const meaning: Column<Row> = { heading: 'Meaning', cell: ({ description }) => description ?? '' }
  return rows.some(({ description }) => description !== undefined) ? [...columns, meaning] : columns
}

function Answer({ answer, summary }: { readonly answer: DocsAnswer; readonly summary: string }) {
  const { status, meaning, mediaType, schema } = answer
  const words = `${status} ${meaning}${mediaType === undefined ? '' : `, ${mediaType}`}`
  if (schema === undefined) return <p class="answer">{words}</p>
  return (
    <details class="answer">
      <summary>{words}</summary>
      <SchemaTable label={`Answer ${status} of ${summary}`} schema={schema} />
    </details>
  )
}

function SchemaTable({ label, schema }: { readonly label: string; readonly schema: string }) {
  const form = parsed(schema)
  const rows = schemaRows(form)
  if (rows.length === 0) return <p>{typeInWords(form)}</p>
  return <Table label={label} columns={withMeaning(memberColumns, rows)} rows={rows} empty={{ title: 'None' }} />
}
