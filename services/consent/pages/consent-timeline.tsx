import { Badge, StatusPill } from '../../../packages/views/components/badge.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { CodeBlock } from '../../../packages/views/components/code-block.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import { Timeline } from '../../../packages/views/components/timeline.tsx'
import type { ConsentRecord } from '../record/consent-record.ts'
import { viewOf } from '../routes/view.ts'
import { ConsentGround } from './consent-ground.tsx'
import { ConsentSentence, type NameOf } from './consent-sentence.tsx'
import { isOver, stateOn, type ConsentState } from './consent-state.ts'
import { PeriodBar, type DayOf, type Span } from './period-bar.tsx'
import { provisionWords, stateWords } from './words.ts'

interface ConsentTimelineProps {
  readonly label: string
  readonly records: readonly ConsentRecord[]
  readonly nameOf: NameOf
  readonly today: string
  readonly dayOf: DayOf
  readonly span: Span
  readonly mayChange: (record: ConsentRecord) => boolean
}

/** Consents one above the other, the newest first, each in words, with its period drawn on one scale. */
export function ConsentTimeline({ label, records, ...shown }: ConsentTimelineProps) {
  return (
    <Timeline
      label={label}
      events={records.map((record) => {
        const state = stateOn(shown.today, record)
        return {
          at: record.createdAt,
          title: (
            <span id={`consent-${record.id}`}>
              <ConsentSentence terms={record} nameOf={shown.nameOf} />
            </span>
          ),
          tone: isOver(state) ? 'neutral' : provisionWords[record.provisionType].tone,
          detail: <ConsentDetail record={record} state={state} {...shown} />,
        }
      })}
    />
  )
}

interface ConsentDetailProps extends Omit<ConsentTimelineProps, 'label' | 'records'> {
  readonly record: ConsentRecord
  readonly state: ConsentState
}

function ConsentDetail({ record, state, nameOf, today, dayOf, span, mayChange }: ConsentDetailProps) {
  return (
    <div class="stack tight">
      <p class="facts">
        <Marks record={record} state={state} />
        <span>
          Consent {record.id}, recorded by <bdi>{recorderOf(record, nameOf)}</bdi>
          {record.organisationId !== null && (
            <>
              {' '}
              at <bdi>{nameOf(record.organisationId)}</bdi>
            </>
          )}
        </span>
        {record.revokedAt !== null && (
          <span>
            Revoked <Time at={record.revokedAt} />
          </span>
        )}
      </p>
      <PeriodBar record={record} state={state} span={span} today={today} dayOf={dayOf} />
      <ConsentGround terms={record} />
      <ExactRecord record={record} />
      {mayChange(record) && !isOver(state) && (
        <p class="actions">
          <Button href={`/consents/${record.id}/change`} label={`Change consent ${record.id}`}>
            Change
          </Button>
          <Button href={`/consents/${record.id}/revoke`} label={`Revoke consent ${record.id}`}>
            Revoke
          </Button>
        </p>
      )}
    </div>
  )
}

interface MarksProps {
  readonly record: ConsentRecord
  readonly state: ConsentState
  /** In place of the English ones. */
  readonly labels?: { readonly provision: string; readonly state: string }
}

/** Word and shape tell permits and refusals apart; the colour repeats it. */
export function Marks({ record, state, labels }: MarksProps) {
  const provision = provisionWords[record.provisionType]
  return (
    <>
      <Badge tone={isOver(state) ? 'neutral' : provision.tone}>{labels?.provision ?? provision.label}</Badge>{' '}
      <StatusPill tone={stateWords[state].tone}>{labels?.state ?? stateWords[state].label}</StatusPill>
    </>
  )
}

export function ExactRecord({ record }: { readonly record: ConsentRecord }) {
  return (
    <details>
      <summary>Exact record</summary>
      <CodeBlock label={`Consent ${record.id}`} code={JSON.stringify(viewOf(record), null, 2)} />
    </details>
  )
}

/** A subject is mostly the id of a practitioner; who is not known by name keeps the bare subject. */
function recorderOf({ createdBy }: Pick<ConsentRecord, 'createdBy'>, nameOf: NameOf): string {
  const reference = `Practitioner/${createdBy}`
  const name = nameOf(reference)
  return name === reference ? createdBy.replace(/^client:/, '') : name
}
