import type { FlagKind } from '../../../../packages/hl7/index.ts'
import type { Warning, WarningKind } from '../../mapping/mapped.ts'
import { count } from '../numbers.ts'

/** What was noticed of a message: when it was read, mapped or stored, or that nobody said whether the patient agrees. */
type NoticedKind = FlagKind | WarningKind | 'consent-unanswered' | NoticedInStore

/** What was noticed of it beside what the store has. */
type NoticedInStore =
  | 'shared-number'
  | 'other-service'
  | 'other-person'
  | 'other-national-number'
  | 'other-patient'
  | 'merged-again'
  | 'batch-differs'

const tellTheSender = 'The sender has to correct it.'

/** What each kind means for what is stored, and who can do something about it. */
const sentences: Readonly<Record<NoticedKind, string>> = {
  'character-set': `is not said or is wrong in MSH-18, and was guessed: look at the names. ${tellTheSender}`,
  'kept-escape': 'stands in the text as it was sent, because only the sender knows what it means.',
  'guessed-bytes': `was read as Windows-1252, because it means nothing in the set of the message. ${tellTheSender}`,
  'unmapped-code': 'has no counterpart and is stored as it came.',
  'not-looked-up': 'was not looked up, for want of a terminology, and is stored as it came.',
  'unknown-value': `is none of its HL7 table. ${tellTheSender}`,
  'bad-date': `was completed or left out. ${tellTheSender}`,
  'bad-number': `was left out. ${tellTheSender}`,
  'bad-value': `was kept as text or left out. ${tellTheSender}`,
  'kept-segment': 'is not read, and is kept in the message alone.',
  'not-kept': `is missing from the record, or cannot be found by later messages. ${tellTheSender}`,
  'shared-number':
    'leads to two stored things, or to that of another patient; nothing was joined. Look at both, and have the sender withdraw the one that should not be.',
  'other-person':
    'has the number of somebody of another name and birth date. It was taken for theirs: somebody who was unknown until now, or the wrong patient. Look at their record.',
  'other-national-number':
    'has taken the place of the one that was stored of the patient, by which nobody finds them any more. See whether something of somebody else came under it.',
  'other-patient':
    'was another patient’s until now, and what belongs to it went along, though the event is no move. Ask the sender whose it is.',
  'merged-again':
    'had been merged into another before, and is merged into this one now. What was known of it then stays with the other: look at both.',
  'other-service':
    'has replaced the one that was stored under the number. If it is no correction but a second order, prescription or dose, have the sender number each.',
  'batch-differs':
    'came in a batch that does not hold as many messages as it says, or holds lines of none. One may be missing: ask the sender.',
  'consent-unanswered': 'went on because the configuration lets it. See whether the patient agrees.',
}

/** Segments that nothing is made of are ordinary: most senders have some of their own. */
const ordinary: ReadonlySet<string> = new Set<NoticedKind>(['kept-segment'])

export const hasTrouble = (warnings: Readonly<Record<string, number>>): boolean =>
  Object.keys(warnings).some((kind) => !ordinary.has(kind))

interface NoticedProps {
  readonly counts: Readonly<Record<string, number>>
  /** Each with its place, where the message can still be read. */
  readonly places: readonly Warning[]
}

export function Noticed({ counts, places }: NoticedProps) {
  return (
    <>
      <ul class="plain-list">
        {Object.entries(counts).map(([kind, times]) => (
          <li key={kind}>
            <strong>
              {count(times)} × {kind.replaceAll('-', ' ')}
            </strong>{' '}
            {Object.hasOwn(sentences, kind) && sentences[kind as NoticedKind]}{' '}
            {kind === 'unmapped-code' && <a href="/console/codes">Say what it means</a>}
          </li>
        ))}
      </ul>
      {places.length > 0 && (
        <details>
          <summary>Where in the message</summary>
          <ul class="plain-list">
            {places.map(({ kind, path, text }) => (
              <li key={`${kind} ${path}`}>
                <code>{path}</code> <bdi>{text}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
