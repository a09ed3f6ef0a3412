import type { FaultField } from '../../../packages/faults/fault.ts'
import { fieldId } from '../../../packages/views/components/field-frame.tsx'
import { Field } from '../../../packages/views/components/field.tsx'
import { Select } from '../../../packages/views/components/select.tsx'
import { count } from '../../../packages/views/numbers.ts'
import { noteCharactersMax } from '../record/consent-body.ts'
import { anyPurpose, deeds, everybody, typesIn, type ConsentFormValues } from './consent-form.ts'
import type { FacilityChoice } from '../../../ports/fhir-store/facility-choices.ts'
import { capital, purposeWord, purposeWords, typeWord, typeWords } from './words.ts'

interface ConsentFieldsProps {
  readonly values: ConsentFormValues
  readonly fields: readonly FaultField[]
  readonly facilities: readonly FacilityChoice[]
}

/** What the form calls its fields. */
export const labels = {
  actor: 'Who',
  provisionType: 'May they?',
  deed: 'Do what',
  extent: 'With what',
  types: 'The kinds',
  purpose: 'For which purpose',
  periodStart: 'From',
  periodEnd: 'Until',
  regulatoryBasis: 'Legal basis',
  note: 'Note',
} as const satisfies Record<keyof ConsentFormValues, string>

/** A consent in the order in which people say it: who, may or may not, what, for what, when. */
export function ConsentFields({ values, fields, facilities }: ConsentFieldsProps) {
  const errorOf = (path: string) => fields.find((field) => field.path === path)?.message
  const ticked = typesIn(values)
  // A record may name whom and what the usual choices do not: changing it must not lose them.
  const actors = [...facilities, { value: everybody, label: 'Everybody' }]
  const isNamed = values.actor === '' || actors.some(({ value }) => value === values.actor)
  return (
    <>
      <Select
        name="actor"
        label={labels.actor}
        value={values.actor}
        error={errorOf('actor')}
        options={isNamed ? actors : [{ value: values.actor, label: values.actor }, ...actors]}
        required
      />
      <Choices name="provisionType" legend={labels.provisionType} value={values.provisionType} choices={provisions} />
      <Select
        name="deed"
        label={labels.deed}
        value={values.deed}
        options={Object.entries(deeds).map(([value, label]) => ({ value, label }))}
        required
      />
      <Choices name="extent" legend={labels.extent} value={values.extent} choices={extents} />
      <fieldset class="choices only-some" aria-describedby={errorOf('types') && 'types-error'}>
        <legend>{labels.types}</legend>
        {errorOf('types') !== undefined && (
          <p class="error" id="types-error">
            {errorOf('types')}
          </p>
        )}
        {[...new Set([...Object.keys(typeWords), ...ticked])].map((type, at) => (
          <label key={type} class="choice">
            <input
              type="checkbox"
              id={at === 0 ? fieldId('types') : undefined}
              name="types"
              value={type}
              checked={ticked.includes(type)}
              // A group cannot be wrong; the first of it stands for all, and is where the reader goes on.
              aria-invalid={at === 0 && errorOf('types') !== undefined ? 'true' : undefined}
              aria-describedby={at === 0 ? errorOf('types') && 'types-error' : undefined}
            />
            {capital(typeWord(type))}
          </label>
        ))}
      </fieldset>
      <Select
        name="purpose"
        label={labels.purpose}
        value={values.purpose}
        options={[
          { value: anyPurpose, label: 'Any purpose' },
          ...[...new Set([...Object.keys(purposeWords), values.purpose])]
            .filter((value) => value !== anyPurpose)
            .map((value) => ({ value, label: capital(purposeWord(value)) })),
        ]}
        required
      />
      <PeriodAndGround values={values} fields={fields} />
    </>
  )
}

/** What can be said of every record: when it holds, and why it is there. */
export function PeriodAndGround({ values, fields }: Pick<ConsentFieldsProps, 'values' | 'fields'>) {
  const errorOf = (path: string) => fields.find((field) => field.path === path)?.message
  return (
    <>
      <Field
        name="periodStart"
        label={labels.periodStart}
        hint="Without a day: from today."
        type="date"
        value={values.periodStart}
        error={errorOf('periodStart')}
      />
      <Field
        name="periodEnd"
        label={labels.periodEnd}
        hint="The last day. Without one: until further notice."
        type="date"
        value={values.periodEnd}
        error={errorOf('periodEnd')}
      />
      <Field
        name="regulatoryBasis"
        label={labels.regulatoryBasis}
        value={values.regulatoryBasis}
        error={errorOf('regulatoryBasis')}
      />
      <Field
        name="note"
        label={labels.note}
        hint={`At most ${count(noteCharactersMax)} characters.`}
        rows={3}
        value={values.note}
        error={errorOf('note')}
      />
    </>
  )
}

interface ChoicesProps {
  readonly name: string
  readonly legend: string
  readonly value: string
  readonly choices: readonly { readonly value: string; readonly label: string }[]
}

function Choices({ name, legend, value, choices }: ChoicesProps) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} class="choice">
          <input type="radio" name={name} value={choice.value} checked={choice.value === value} required />
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}

const provisions = [
  { value: 'permit', label: 'They may' },
  { value: 'deny', label: 'They may not, whatever else permits it' },
]

const extents = [
  { value: 'some', label: 'Only the kinds that are ticked below' },
  { value: 'all', label: 'Everything in the record' },
]
