import { NamedPatient } from '../../../../packages/people/named-patient.tsx'
import { Badge } from '../../../../packages/views/components/badge.tsx'
import type { Column } from '../../../../packages/views/components/table.tsx'
import { CalendarDate, Time } from '../../../../packages/views/components/time.tsx'
import type { Alert } from '../../coordination/store/alerts.ts'
import type { AlertTexts } from './alert-texts.ts'
import type { FrameModel } from '../console-frame.tsx'
import { plural } from '../numbers.ts'
import { messagePath } from '../transaction/message-path.ts'
import type { ResultText } from './result-text.ts'

interface FactsModel extends Pick<FrameModel, 'visitor' | 'addresses'> {
  readonly texts: AlertTexts | undefined
}

/** Of whom a critical result is, and what it says: with the reader's rights, and each look is recorded. */
export const alertFacts = (model: FactsModel): readonly Column<Alert>[] => [
  { heading: 'Patient', cell: (alert) => <PatientCell alert={alert} model={model} /> },
  { heading: 'Result', cell: (alert) => <ResultCell alert={alert} model={model} /> },
]

/** What tells one from the others, for who does not see its row. */
export function nameOfAlert({ resource, patient }: Alert, texts: AlertTexts | undefined): string {
  const [result, person] = [texts?.results.get(resource), texts?.patients.get(patient)]
  const which = result === undefined ? resource : `${result.what} ${result.value}`
  return person === undefined ? which : `${which} of ${person.name}`
}

interface FactProps {
  readonly alert: Alert
  readonly model: FactsModel
}

function PatientCell({ alert: { patient }, model: { texts, addresses } }: FactProps) {
  const known = texts?.patients.get(patient)
  if (known === undefined) return <bdi class="wrap">{patient}</bdi>
  const { auth } = addresses
  const way = auth === undefined ? {} : { href: `${auth}/portal/patients/${known.id}` }
  return <NamedPatient patient={known} reference={patient} {...way} />
}

function ResultCell({ alert: { resource, transactionId, raisedAt }, model: { texts, visitor } }: FactProps) {
  const result = texts?.results.get(resource)
  return (
    <span>
      {result !== undefined && <Told result={result} raisedAt={raisedAt} />}
      {result === undefined && <bdi class="wrap">{resource}</bdi>}
      {result === undefined && texts !== undefined && (
        <span class="under">It is not in the record any more, or not for you to see.</span>
      )}
      {visitor.caller.roles.has('ADMIN') && (
        <span class="under">
          <a href={messagePath(transactionId)} aria-label={`See it in its message: ${resource}`}>
            See it in its message
          </a>
        </span>
      )}
    </span>
  )
}

interface ToldProps {
  readonly result: ResultText
  readonly raisedAt: Date
}

function Told({ result: { what, value, flag, status, at }, raisedAt }: ToldProps) {
  const daysBefore = at === undefined || at.length < 10 ? 0 : wholeDays(at, raisedAt)
  return (
    <>
      <bdi class="name">{what}</bdi>:{' '}
      <b>
        <bdi class="name">{value}</bdi>
      </b>
      {flag !== undefined && `, ${flag}`}
      {status !== undefined && (
        <>
          {' '}
          <Badge tone="warning">{status}</Badge>
        </>
      )}
      {at !== undefined && (
        <span class="under">
          of {at.includes('T') ? <Time at={at} /> : <CalendarDate date={at} />}{' '}
          {daysBefore >= lateDays && <Badge tone="warning">came {plural(daysBefore, 'day')} later</Badge>}
        </span>
      )}
    </>
  )
}

/** A result that comes late stands among those of this morning, and may be the patient's of long ago. */
const wholeDays = (from: string, to: Date): number => Math.floor((to.getTime() - new Date(from).getTime()) / dayMs) || 0

const dayMs = 86_400_000
/** Cultures take a day, and a day has no zone. */
const lateDays = 2
