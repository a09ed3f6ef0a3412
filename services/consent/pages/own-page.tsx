import { Card } from '../../../packages/views/components/card.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { CalendarDate } from '../../../packages/views/components/time.tsx'
import type { ConsentRecord } from '../record/consent-record.ts'
import { ConsentFrame, type FrameModel } from './consent-frame.tsx'
import { ConsentSentence, type NameOf } from './consent-sentence.tsx'
import { isOver, stateOn } from './consent-state.ts'
import { Marks } from './consent-timeline.tsx'
import type { DayOf } from './period-bar.tsx'

interface OwnModel extends FrameModel {
  readonly records: readonly ConsentRecord[]
  readonly nameOf: NameOf
  readonly today: string
  readonly dayOf: DayOf
}

/** A patient's own consents: what each of them means, and whom to ask. */
export function OwnPage({ model }: { readonly model: OwnModel }) {
  const { records, nameOf, today, dayOf } = model
  return (
    <ConsentFrame model={model} title="Your consents">
      <PageHead
        title="Your consents"
        lead="Who may see your health record, and who may not. Where you have said nothing, only what the rules of the exchange allow for everybody is shared; your no always counts more than a yes."
      />
      {records.length === 0 && (
        <EmptyState title="You have not agreed to anything yet, and refused nothing">
          Talk to the facility that treats you: they can record what you want to share.
        </EmptyState>
      )}
      {records.map((record) => (
        <OwnConsent key={record.id} record={record} nameOf={nameOf} today={today} dayOf={dayOf} />
      ))}
    </ConsentFrame>
  )
}

interface OwnConsentProps extends Pick<OwnModel, 'nameOf' | 'today' | 'dayOf'> {
  readonly record: ConsentRecord
}

function OwnConsent({ record, nameOf, today, dayOf }: OwnConsentProps) {
  const state = stateOn(today, record)
  const { organisationId, revokedAt } = record
  return (
    <Card id={`consent-${record.id}`}>
      <div class="stack tight">
        <p class="facts">
          <Marks record={record} state={state} />
          <span>
            Recorded <CalendarDate date={dayOf(record.createdAt)} />
          </span>
        </p>
        <h2>
          <ConsentSentence terms={record} nameOf={nameOf} />
        </h2>
        <p>{meaningOf(record, isOver(state))}</p>
        {revokedAt === null && !isOver(state) && (
          <p>
            To change or withdraw it, ask{' '}
            {organisationId === null ? 'the facility that treats you' : <bdi>{nameOf(organisationId)}</bdi>} and give
            them the number {record.id}.
          </p>
        )}
      </div>
    </Card>
  )
}

function meaningOf({ provisionType, actorReference }: ConsentRecord, isPast: boolean): string {
  if (isPast) return 'This no longer counts. It is kept so that everybody can see what held and when.'
  const who = actorReference === null ? 'anybody' : 'them'
  return provisionType === 'permit'
    ? 'You have agreed to this. They can use it only for what is named here, and every question about it is written down.'
    : `You have said no. Nobody can set this aside for ${who}, even where another of your consents says yes.`
}
