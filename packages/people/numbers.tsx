import type { ShownPatient } from './shown-patient.ts'

/**
 * The numbers by which somebody is known, each with what it is and in its own direction. Where there is no room for one it is
 * broken, and never cut off: a part of a number is the number of another.
 */
export function Numbers({ identifiers }: Pick<ShownPatient, 'identifiers'>) {
  if (identifiers.length === 0) return null
  return (
    <p>
      {identifiers.map(({ label, value }, index) => (
        <>
          {index > 0 && ', '}
          {label} <bdi key={value}>{value}</bdi>
        </>
      ))}
    </p>
  )
}
