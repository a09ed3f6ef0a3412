import { Button } from '../../../packages/views/components/button.tsx'
import { PersonName } from '../../../packages/views/components/person-name.tsx'
import { useWords } from '../words/words.ts'

/** What a page knows of its session. */
export interface SessionView {
  /** Tells the patient from those of every other server, too. */
  readonly patientKey: string
  readonly patientName: string | null
  readonly clinicianName: string | null
  /** Until the session ends by itself: its token, idleness or its longest time, whichever comes first. */
  readonly secondsLeft: number
  /** How long a session lives without a request. */
  readonly idleSeconds: number
  /** Until its longest time is over: nobody stays beyond it without signing in again. */
  readonly longestSeconds: number
}

/** Counts down in the browser (session-watch.ts): warns at five minutes, leads to the start page at the end. */
export function SessionClock({ session }: { readonly session: SessionView }) {
  const { text } = useWords()
  return (
    <p
      class="session-clock"
      title={text('sessionClockTitle')}
      data-session-seconds={session.secondsLeft}
      data-idle-seconds={session.idleSeconds}
      data-longest-seconds={session.longestSeconds}
      data-patient={session.patientKey}
    >
      <span class="visually-hidden">{text('sessionClockTitle')} </span>
      <time role="timer">{minutesAndSeconds(session.secondsLeft)}</time>
    </p>
  )
}

/** Opened by the script when the app was launched for somebody else in another tab of this browser. */
export function PatientChanged({ name }: { readonly name: string | null }) {
  const { text } = useWords()
  return (
    <dialog id="patient-changed" aria-labelledby="patient-changed-title">
      <div class="stack">
        <h2 id="patient-changed-title">{text('patientChangedTitle')}</h2>
        <p>
          {name === null ? null : (
            <>
              <strong>
                <PersonName name={name} />
              </strong>
              {'. '}
            </>
          )}
          {text('patientChangedText')}
        </p>
        <div class="actions">
          <Button href="/dashboard" look="primary">
            {text('patientChangedGo')}
          </Button>
        </div>
      </div>
    </dialog>
  )
}

function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
