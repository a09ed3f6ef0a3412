import { PersonName } from '../views/components/person-name.tsx'
import { Born } from './born.tsx'
import { Numbers } from './numbers.tsx'
import type { ShownPatient } from './shown-patient.ts'

interface NamedPatientProps {
  /** Nobody where the reader may not see them. */
  readonly patient: Pick<ShownPatient, 'name' | 'birthDate' | 'age' | 'death' | 'identifiers'> | undefined
  readonly reference: string
  /** Where their name leads. */
  readonly href?: string
}

/** In a list of many things: who it is, with what tells them from a namesake. In one cell, for such lists have many. */
export function NamedPatient({ patient, reference, href }: NamedPatientProps) {
  const name = <PersonName name={patient?.name ?? reference} />
  return (
    <div>
      {href === undefined ? name : <a href={href}>{name}</a>}
      {patient !== undefined && (
        <div class="hint">
          <Born {...patient} />
          {/* Namesakes may be born on one day. */}
          <Numbers identifiers={patient.identifiers.slice(0, 1)} />
        </div>
      )}
    </div>
  )
}
