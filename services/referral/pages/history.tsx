import { Timeline } from '../../../packages/views/components/timeline.tsx'
import { systemActor, type ReferralEvent } from '../referral.ts'
import { staff, type Reader } from '../words/reader.ts'
import { stepTitle } from './words.ts'

interface HistoryProps {
  readonly history: readonly ReferralEvent[]
  readonly nameOf: (reference: string | null | undefined) => string
  readonly reader: Reader
}

/** What happened to a referral, the last first. */
export function History({ history, nameOf, reader }: HistoryProps) {
  const { words } = reader
  return (
    <Timeline
      label={words.text('whatHappened')}
      events={history.toReversed().map((event) => ({
        at: event.at,
        title: stepTitle(event, words).label,
        tone: stepTitle(event, words).tone,
        detail: (
          <>
            <bdi>{actorIn(event, nameOf)}</bdi>
            {reasonFor(reader, event) !== null && (
              <>
                {': '}
                <bdi>{reasonFor(reader, event)}</bdi>
              </>
            )}
            {event.note !== null && (
              <>
                {': '}
                <bdi class="preserve-lines">{event.note}</bdi>
              </>
            )}
          </>
        ),
      }))}
    />
  )
}

/** The facility that did it; where a program without one did, the program, and what happens by itself we do. */
function actorIn({ actor, actorOrganisation }: ReferralEvent, nameOf: HistoryProps['nameOf']): string {
  if (actorOrganisation !== null) return nameOf(actorOrganisation)
  return actor === systemActor.subject ? 'Corridor' : actor.replace(/^client:/, '')
}

/** Of a merge it names two records, in English: that is for staff. */
const reasonFor = (reader: Reader, { action, reason }: ReferralEvent): string | null =>
  action === 'merge' && reader !== staff ? null : reason
