import { Card } from '../../../packages/views/components/card.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { CalendarDate } from '../../../packages/views/components/time.tsx'
import { Filled } from '../../../packages/views/words/filled.tsx'
import { amongLanguages } from '../../../packages/views/words/language-links.tsx'
import type { ConsentRecord, DecidingRecord } from '../record/consent-record.ts'
import type { Words } from '../words/words.ts'
import { ConsentFrame, type FrameModel } from './consent-frame.tsx'
import type { NameOf } from './consent-sentence.tsx'
import { isOver, stateOn, type ConsentState } from './consent-state.ts'
import { Marks } from './consent-timeline.tsx'
import { OwnSentence } from './own-sentence.tsx'
import type { DayOf } from './period-bar.tsx'

interface OwnModel extends FrameModel {
  readonly words: Words
  /** Who speaks for a patient has consents of their own only where they are one, too. */
  readonly isPatient: boolean
  readonly records: readonly ConsentRecord[]
  readonly nameOf: NameOf
  readonly today: string
  readonly dayOf: DayOf
  /** The refusals that stand against one of them: theirs, and the rules of the exchange. */
  readonly against: (record: ConsentRecord) => readonly Pick<DecidingRecord, 'id' | 'patientId'>[]
}

/** A patient's own consents: what each of them means, and whom to ask. */
export function OwnPage({ model }: { readonly model: OwnModel }) {
  const { records, isPatient, ...shown } = model
  // What counts comes before what has counted, each of both the newest first.
  const isPast = (record: ConsentRecord) => Number(isOver(stateOn(model.today, record)))
  const inOrder = records.toSorted((one, other) => isPast(one) - isPast(other))
  const { text } = model.words
  return (
    <ConsentFrame model={model} title={text('title')} layout={amongLanguages(model.words, '/')}>
      <PageHead title={text('title')} lead={text('lead')} />
      {!isPatient && <EmptyState title={text('noRecordTitle')}>{text('noRecordText')}</EmptyState>}
      {isPatient && records.length === 0 && <EmptyState title={text('noneTitle')}>{text('noneText')}</EmptyState>}
      {inOrder.map((record) => (
        <OwnConsent key={record.id} record={record} {...shown} />
      ))}
    </ConsentFrame>
  )
}

interface OwnConsentProps extends Pick<OwnModel, 'words' | 'nameOf' | 'today' | 'dayOf' | 'against'> {
  readonly record: ConsentRecord
}

function OwnConsent({ record, words, nameOf, today, dayOf, against }: OwnConsentProps) {
  const { text } = words
  const state = stateOn(today, record)
  const { id, organisationId, provisionType, revokedAt } = record
  const labels = { provision: text(`provision_${provisionType}`), state: text(`state_${state}`) }
  const facility = organisationId !== null && <bdi>{nameOf(organisationId)}</bdi>
  return (
    <Card id={`consent-${id}`}>
      <div class="stack tight">
        <p class="facts">
          <Marks record={record} state={state} labels={labels} />
          <span>
            <Filled text={text('recorded')} parts={{ date: <CalendarDate date={dayOf(record.createdAt)} /> }} />
          </span>
        </p>
        <h2>
          <OwnSentence terms={record} nameOf={nameOf} words={words} />
        </h2>
        <p>{meaningOf(record, state, words)}</p>
        {provisionType === 'permit' && !isOver(state) && <Against refusals={against(record)} words={words} />}
        {revokedAt === null && !isOver(state) && (
          <p>{facility === false ? text('askAny', { id }) : <Filled text={text('ask')} parts={{ facility, id }} />}</p>
        )}
      </div>
    </Card>
  )
}

function meaningOf({ provisionType, actorReference }: ConsentRecord, state: ConsentState, { text }: Words): string {
  if (isOver(state)) return text('meaning_over')
  if (state === 'waiting') return text(`meaning_waiting_${provisionType}`)
  if (provisionType === 'permit') return text('meaning_permit')
  return text(actorReference === null ? 'meaning_deny_all' : 'meaning_deny_one')
}

interface AgainstProps {
  readonly refusals: ReturnType<OwnModel['against']>
  readonly words: Words
}

/** A yes that a no leaves without effect, in whole or in part, must not be read as a yes. */
function Against({ refusals, words: { text, list } }: AgainstProps) {
  const own = refusals.filter(({ patientId }) => patientId !== null)
  const numbers = list.formatToParts(own.map(({ id }) => String(id))).map(({ type, value }) =>
    type === 'literal' ? (
      value
    ) : (
      <a key={value} href={`#consent-${value}`}>
        {text('number', { id: value })}
      </a>
    ),
  )
  return (
    <>
      {own.length > 0 && (
        <p>
          <Filled text={text('againstOwn')} parts={{ numbers: <>{numbers}</> }} />
        </p>
      )}
      {own.length < refusals.length && <p>{text('againstRules')}</p>}
    </>
  )
}
