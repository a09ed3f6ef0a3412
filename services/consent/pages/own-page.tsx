import { Card } from '../../../packages/views/components/card.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { CalendarDate } from '../../../packages/views/components/time.tsx'
import type { ConsentRecord, DecidingRecord } from '../record/consent-record.ts'
import { ConsentFrame, type FrameModel } from './consent-frame.tsx'
import { ConsentSentence, type NameOf } from './consent-sentence.tsx'
import { isOver, stateOn, type ConsentState } from './consent-state.ts'
import { Marks } from './consent-timeline.tsx'
import type { DayOf } from './period-bar.tsx'

interface OwnModel extends FrameModel {
  readonly records: readonly ConsentRecord[]
  readonly nameOf: NameOf
  readonly today: string
  readonly dayOf: DayOf
  /** The refusals that stand against one of them: theirs, and the rules of the exchange. */
  readonly against: (record: ConsentRecord) => readonly Pick<DecidingRecord, 'id' | 'patientId'>[]
}

/** A patient's own consents: what each of them means, and whom to ask. */
export function OwnPage({ model }: { readonly model: OwnModel }) {
  const { records, ...shown } = model
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
        <OwnConsent key={record.id} record={record} {...shown} />
      ))}
    </ConsentFrame>
  )
}

interface OwnConsentProps extends Pick<OwnModel, 'nameOf' | 'today' | 'dayOf' | 'against'> {
  readonly record: ConsentRecord
}

function OwnConsent({ record, nameOf, today, dayOf, against }: OwnConsentProps) {
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
        <p>{meaningOf(record, state)}</p>
        {record.provisionType === 'permit' && !isOver(state) && <Against refusals={against(record)} />}
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

function meaningOf({ provisionType, actorReference }: ConsentRecord, state: ConsentState): string {
  if (isOver(state)) return 'This no longer counts. It is kept so that everybody can see what held and when.'
  if (state === 'waiting') {
    return `You have ${provisionType === 'permit' ? 'agreed to this' : 'said no'}. It does not count before its first day.`
  }
  const who = actorReference === null ? 'anybody' : 'them'
  return provisionType === 'permit'
    ? 'You have agreed to this. They can use it only for what is named here, and every question about it is written down.'
    : `You have said no. Nobody can set this aside for ${who}, even where another of your consents says yes.`
}

/** A yes that a no leaves without effect, in whole or in part, must not be read as a yes. */
function Against({ refusals }: { readonly refusals: ReturnType<OwnModel['against']> }) {
  const own = refusals.filter(({ patientId }) => patientId !== null)
  return (
    <>
      {own.length > 0 && (
        <p>
          You have also said no to some of it, and your no counts more:{' '}
          {own.map(({ id }, index) => (
            <>
              {index > 0 && ', '}
              <a href={`#consent-${id}`}>number {id}</a>
            </>
          ))}
          .
        </p>
      )}
      {own.length < refusals.length && (
        <p>A rule of the exchange says no to some of it. That counts more than what you have agreed to.</p>
      )}
    </>
  )
}
