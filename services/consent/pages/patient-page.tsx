import { unreachable } from '../../../packages/faults/fault.ts'
import { patientWays } from '../../../packages/people/patient-ways.tsx'
import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PatientBanner } from '../../../packages/views/components/patient-banner.tsx'
import type { ConsentRecord } from '../record/consent-record.ts'
import { dayInWords } from './consent-clauses.ts'
import { ConsentFrame, type FrameModel } from './consent-frame.tsx'
import type { NameOf } from './consent-sentence.tsx'
import { isOver, stateOn } from './consent-state.ts'
import { ConsentTimeline } from './consent-timeline.tsx'
import { PeriodLegend, spanOf, type DayOf } from './period-bar.tsx'

export interface PatientModel extends FrameModel {
  readonly patient: ShownPatient
  /** Newest first. */
  readonly records: readonly ConsentRecord[]
  readonly nameOf: NameOf
  readonly today: string
  readonly dayOf: DayOf
  readonly mayChange: (record: ConsentRecord) => boolean
  /** What the visitor has just done. */
  readonly done?: { readonly what: 'kept' | 'changed' | 'revoked'; readonly id: number }
}

/** What a patient has agreed to and refused: what counts, and what has counted. */
export function PatientPage({ model }: { readonly model: PatientModel }) {
  const { patient, records, today, dayOf, done } = model
  const over = records.filter((record) => isOver(stateOn(today, record)))
  const holding = records.filter((record) => !over.includes(record))
  const mayAsk = model.visitor.caller.roles.has('ADMIN')
  const shown = { ...model, span: spanOf(records, today, dayOf) }
  const ways = patientWays({ id: patient.id, addresses: model.addresses, here: 'consents' })
  const add = (
    <Button look="primary" href={`/patients/${patient.id}/new`}>
      Record a consent
    </Button>
  )
  return (
    <ConsentFrame
      model={model}
      title="Consents of a patient"
      here="patients"
      banner={<PatientBanner {...patient} actions={ways} />}
    >
      <PageHead
        title="Consents"
        lead="Where nothing is said, only what the policies of the exchange allow for everybody is shared. A refusal counts more than any permission."
        actions={
          <>
            {mayAsk && <Button href={`/ask?patient=${encodeURIComponent(patient.id)}`}>Ask the question</Button>}
            {records.length > 0 && add}
          </>
        }
      />
      {done !== undefined && <Done {...done} records={records} today={today} />}
      {records.length === 0 ? (
        <EmptyState title="Nothing is recorded for this patient" action={add}>
          Only what the policies of the exchange allow for everybody can be shared.
        </EmptyState>
      ) : (
        <>
          <Card title="What counts">
            {holding.length === 0 ? (
              <p>Nothing of what was recorded counts any more.</p>
            ) : (
              <ConsentTimeline {...shown} label="What counts" records={holding} />
            )}
          </Card>
          {over.length > 0 && (
            <Card title="What no longer counts">
              <ConsentTimeline {...shown} label="What no longer counts" records={over} />
            </Card>
          )}
          <PeriodLegend span={shown.span} />
        </>
      )}
    </ConsentFrame>
  )
}

/** The address says what was done; it is told where the records of this patient say the same. */
function Done({ what, id, records, today }: Required<PatientModel>['done'] & Pick<PatientModel, 'records' | 'today'>) {
  const record = records.find((one) => one.id === id)
  if (record === undefined || (record.status === 'inactive') !== (what === 'revoked')) return null
  return (
    <Alert tone="good" urgent title={`Consent ${id} is ${what}.`}>
      {countsFrom(record, what === 'changed' ? 'What it says now' : 'It', today)}
    </Alert>
  )
}

function countsFrom(record: ConsentRecord, subject: string, today: string): string {
  const state = stateOn(today, record)
  switch (state) {
    case 'active':
      return `${subject} counts from now on.`
    case 'waiting':
      return `${subject} counts from ${dayInWords(record.periodStart ?? today)} on.`
    case 'ended':
      return 'Its period is over: it does not count.'
    case 'revoked':
      return 'It no longer counts. The record is kept.'
    default:
      return unreachable(state)
  }
}
