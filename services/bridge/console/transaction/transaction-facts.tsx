import { Badge } from '../../../../packages/views/components/badge.tsx'
import { DefinitionList } from '../../../../packages/views/components/definition-list.tsx'
import { Time } from '../../../../packages/views/components/time.tsx'
import type { TransactionRow } from '../../store/transactions.ts'
import { messagePath } from './message-path.ts'

/** What the log says of a message, beside where it stands. */
export function Facts({
  row,
  cameAgainAs,
}: {
  readonly row: TransactionRow
  readonly cameAgainAs: string | undefined
}) {
  const warnings = Object.entries(row.warnings)
  const sender = [row.sending_application, row.sending_facility].filter((part) => part !== '')
  return (
    <DefinitionList
      items={[
        { term: 'Transaction', value: <code class="wrap">{row.id}</code> },
        { term: 'Channel', value: row.channel_id.toUpperCase() },
        ...(sender.length === 0 ? [] : [{ term: 'Sender', value: <bdi>{sender.join(' at ')}</bdi> }]),
        ...(row.peer === null ? [] : [{ term: 'Address', value: <bdi>{row.peer}</bdi> }]),
        ...(row.patient === null ? [] : [{ term: 'Patient', value: <PatientLink patient={row.patient} /> }]),
        ...(row.parent_transaction_id === null
          ? []
          : [
              {
                term: row.status === 'DUPLICATE' ? 'The first one' : 'Sent again for',
                value: <a href={messagePath(row.parent_transaction_id)}>Open it</a>,
              },
            ]),
        ...(cameAgainAs === undefined
          ? []
          : [{ term: 'Came again', value: <a href={messagePath(cameAgainAs)}>Open it</a> }]),
        { term: 'Answer', value: row.ack_code === null ? noAnswer(row) : <code>{row.ack_code}</code> },
        { term: 'Attempts', value: row.attempts },
        ...(row.next_attempt_at === null ? [] : [{ term: 'Next attempt', value: <Time at={row.next_attempt_at} /> }]),
        ...(warnings.length === 0
          ? []
          : [
              {
                term: 'Noticed',
                value: warnings.map(([kind, count]) => (
                  <>
                    <Badge key={kind} tone="warning">
                      {count} × {kind.replaceAll('-', ' ')}
                    </Badge>{' '}
                  </>
                )),
              },
            ]),
      ]}
    />
  )
}

/** One that has ended without an answer will get none. */
const noAnswer = ({ completed_at }: TransactionRow): string => (completed_at === null ? 'None yet' : 'None')

function PatientLink({ patient }: { readonly patient: string }) {
  const id = patient.replace(/^Patient\//, '')
  return (
    <a href={`/console/messages?patientId=${encodeURIComponent(id)}`}>
      <bdi>{id}</bdi>
    </a>
  )
}
