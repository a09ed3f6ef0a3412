import type { ComponentChildren } from 'preact'
import { useWording } from '../use-wording.ts'
import { PersonName } from './person-name.tsx'
import { CalendarDate } from './time.tsx'

interface PatientBannerProps {
  readonly name: string
  readonly birthDate?: string | undefined
  /** In words, as the service counts it: `34 years`, `5 weeks`. */
  readonly age?: string | undefined
  /** Of who has died: when, as far as it is known, and how old they became. */
  readonly death?: { readonly day: string | undefined; readonly age: string | undefined } | undefined
  readonly sex?: string | undefined
  readonly identifiers?: readonly { readonly label: string; readonly value: string }[]
  /** What nobody may overlook: an allergy, a name alike, a second patient open in the same browser. */
  readonly warning?: ComponentChildren
  readonly actions?: ComponentChildren
}

/** Whose record this is: the same place, the same order and the same colour on every page. */
export function PatientBanner(props: PatientBannerProps) {
  const { name, birthDate, age, death, sex, identifiers = [], warning, actions } = props
  const words = useWording()
  return (
    <section class="patient-banner" aria-label={words.patient}>
      <p class="patient-name">
        <PersonName name={name} />
      </p>
      <dl>
        {birthDate !== undefined && (
          <Fact term={words.born}>
            <CalendarDate date={birthDate} />
            {age !== undefined && ` (${age})`}
          </Fact>
        )}
        {death !== undefined && (
          <Fact term={words.died}>
            {death.day === undefined ? words.dateNotKnown : <CalendarDate date={death.day} />}
            {death.age !== undefined && ` (${death.age})`}
          </Fact>
        )}
        {sex !== undefined && <Fact term={words.sex}>{sex}</Fact>}
        {identifiers.map(({ label, value }) => (
          <Fact key={label} term={label}>
            <bdi>{value}</bdi>
          </Fact>
        ))}
      </dl>
      {actions !== undefined && <div class="actions">{actions}</div>}
      {warning !== undefined && <p class="patient-warning">{warning}</p>}
    </section>
  )
}

function Fact({ term, children }: { readonly term: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
