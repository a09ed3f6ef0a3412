import type { ImmunizationDeps } from '../deps.ts'
import type { PatientRecord } from '../read-model/patient-record.ts'
import type { Summary } from '../read-model/summary.ts'
import { patientKeyOf, secondsRemaining, type Session } from '../session/session.ts'
import { touchEveryMs } from '../session/visitor.ts'
import type { AppFrame } from '../views/app-layout.tsx'
import type { Words } from '../words/words.ts'

interface FrameParts {
  readonly session: Session
  readonly record: PatientRecord
  readonly summary: Summary
  readonly words: Words
  readonly today: string
}

/** What surrounds every page: whose record, for how long, in which language. */
export function frameOf(
  { session, record, summary, words, today }: FrameParts,
  { settings, clock, assetUrl }: Pick<ImmunizationDeps, 'settings' | 'clock' | 'assetUrl'>,
): AppFrame {
  const now = clock.now()
  const { name, birthDate, born, sex, number, death } = record.patient
  // A request is only written down once a minute, so that much may be missing at the end.
  const idleSeconds = settings.sessionIdleSeconds - touchEveryMs / 1_000
  const longestSeconds = Math.max(0, Math.floor((session.expiresAt.getTime() - now.getTime()) / 1_000))
  return {
    words,
    assetUrl,
    overdueCount: summary.overdueCount,
    session: {
      patientKey: patientKeyOf(session),
      patientName: name,
      clinicianName: session.clinicianName,
      secondsLeft: Math.max(0, Math.min(secondsRemaining(session, now), idleSeconds, longestSeconds)),
      idleSeconds,
      longestSeconds,
    },
    hasReplacedOther: session.replacedOtherPatient,
    isReplaced: record.patient.isReplaced,
    banner: { name, birthDate, born, sex, number, death, today },
    needsBanner: session.needPatientBanner,
  }
}
