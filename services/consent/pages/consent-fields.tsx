import type { FaultField } from '../../../packages/faults/fault.ts'
import { Field } from '../../../packages/views/components/field.tsx'
import { Select } from '../../../packages/views/components/select.tsx'
import { noteCharactersMax, regulatoryBasisCharactersMax } from '../record/consent-body.ts'
import { anyPurpose, deeds, everybody, typesIn, type ConsentFormValues } from './consent-form.ts'
import type { FacilityChoice } from './names-in.ts'
import { capital, purposeWords, typeWords } from './words.ts'

export interface ConsentFieldsProps {
  readonly values: ConsentFormValues
  readonly fields: readonly FaultField[]
  readonly facilities: readonly FacilityChoice[]
}

/** A consent in the order in which people say it: who, may or may not, what, for what, when. */
export function ConsentFields({ values, fields, facilities }: ConsentFieldsProps) {
  const errorOf = (path: string) => fields.find((field) => field.path === path)?.message
  const ticked = typesIn(values)
  return (
    <>
      <Select
        name="actor"
        label="Who"
        value={values.actor}
        error={errorOf('actor')}
        options={[...facilities, { value: everybody, label: 'Everybody' }]}
        required
      />
      <Choices name="provisionType" legend="May they?" value={values.provisionType} choices={provisions} />
      <Select
        name="deed"
        label="Do what"
        value={values.deed}
        options={Object.entries(deeds).map(([value, label]) => ({ value, label }))}
        required
      />
      <Choices name="extent" legend="With what" value={values.extent} choices={extents} />
      <fieldset>
        <legend>The kinds</legend>
        {errorOf('types') !== undefined && <p class="error">{errorOf('types')}</p>}
        {Object.entries(typeWords).map(([type, label]) => (
          <label key={type} class="choice">
            <input type="checkbox" name="types" value={type} checked={ticked.includes(type)} />
            {capital(label)}
          </label>
        ))}
      </fieldset>
      <Select
        name="purpose"
        label="For which purpose"
        value={values.purpose}
        options={[
          { value: anyPurpose, label: 'Any purpose' },
          ...Object.entries(purposeWords).map(([value, word]) => ({ value, label: capital(word) })),
        ]}
        required
      />
      <Field
        name="periodStart"
        label="From"
        hint="Without a day: from today."
        type="date"
        value={values.periodStart}
        error={errorOf('periodStart')}
      />
      <Field
        name="periodEnd"
        label="Until"
        hint="The last day. Without one: until further notice."
        type="date"
        value={values.periodEnd}
        error={errorOf('periodEnd')}
      />
      <Field
        name="regulatoryBasis"
        label="Legal basis"
        value={values.regulatoryBasis}
        maxLength={regulatoryBasisCharactersMax}
      />
      <Field name="note" label="Note" rows={3} value={values.note} maxLength={noteCharactersMax} />
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
