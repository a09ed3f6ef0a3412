import { CalendarDate } from '../views/components/time.tsx'
import type { ShownPatient } from './shown-patient.ts'

/**
 * What tells somebody from their namesakes: when they were born, how old they are, and whether they have died. The age
 * stands below the date only where the list is as narrow as a telephone.
 */
export function Born({ birthDate, age, death }: Pick<ShownPatient, 'birthDate' | 'age' | 'death'>) {
  return (
    <div>
      <span class="nowrap">
        {birthDate === undefined ? 'not recorded' : <CalendarDate date={birthDate} />}
        {age !== undefined && ` (${age})`}
        {death !== undefined && ','}
      </span>
      {death !== undefined && (death.day === undefined ? ' died' : ' died ')}
      {death?.day !== undefined && <CalendarDate date={death.day} />}
    </div>
  )
}
