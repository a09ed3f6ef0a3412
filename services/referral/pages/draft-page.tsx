import type { FaultField } from '../../../packages/faults/fault.ts'
import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import { Alert } from '../../../packages/views/components/alert.tsx'
import { FormFaults } from '../../../packages/views/components/form-faults.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { Field } from '../../../packages/views/components/field.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { controlAttributes, type FieldWords } from '../../../packages/views/components/field-frame.tsx'
import { PatientBanner } from '../../../packages/views/components/patient-banner.tsx'
import { PostForm } from '../../../packages/views/components/post-form.tsx'
import { Select } from '../../../packages/views/components/select.tsx'
import { count } from '../../../packages/views/numbers.ts'
import { priorities } from '../referral.ts'
import { noteCharactersMax, shortCharactersMax } from '../routes/fields.ts'
import type { DraftFormValues } from './draft-form.ts'
import type { FacilityChoice } from '../../../ports/fhir-store/facility-choices.ts'
import { requesterOf } from './people.ts'
import { ReferralFrame, type FrameModel } from './referral-frame.tsx'
import { english } from '../words/words.ts'
import { priorityWord, shareableTypes, shareableWord } from './words.ts'

export interface DraftModel extends FrameModel {
  readonly patient: ShownPatient
  readonly values: DraftFormValues
  /** What is wrong with them. */
  readonly fields: readonly FaultField[]
  readonly facilities: readonly FacilityChoice[]
  /** The draft that is changed, and which version of it the values were made from; nothing for a new one. */
  readonly changed?: {
    readonly id: number
    readonly version: string
    /** What it says by now, where somebody was faster than who wrote the values. */
    readonly now?: DraftFormValues
  }
}

/** The second step of a referral: what is asked. */
export function DraftPage({ model }: { readonly model: DraftModel }) {
  const { patient, fields, facilities, changed, visitor } = model
  const title = changed === undefined ? 'New referral' : 'Change the draft'
  return (
    <ReferralFrame
      model={model}
      title={title}
      {...(changed === undefined ? { here: 'new' } : {})}
      banner={<PatientBanner {...patient} />}
      scripts={['form-preview.js']}
    >
      <PageHead title={title} lead="Nothing leaves before you have seen it once more and sent it." />
      {fields.length > 0 && (
        <FormFaults fields={fields} labels={labels}>
          <p>The draft is not kept yet.</p>
        </FormFaults>
      )}
      {changed?.now !== undefined && (
        <Alert tone="warning" urgent title="The draft has changed in the meantime: nothing of yours is kept yet">
          What you wrote is below. Where the draft says something else by now, that stands at the field; keeping yours
          writes over it.
        </Alert>
      )}
      {changed === undefined && requesterOf(visitor.caller) === undefined ? (
        <Alert tone="warning" title="Your account is of nobody who can ask for a referral">
          A referral names the practitioner who asks for it. Ask an administrator to name yours in your account, then
          sign in again.
        </Alert>
      ) : facilities.length === 0 ? (
        <Alert tone="warning" title="There is no facility to refer to">
          An administrator registers facilities: an Organization with its code in the FHIR store.
        </Alert>
      ) : (
        <DraftForm {...model} />
      )}
    </ReferralFrame>
  )
}

const labels = {
  receivingFacilityClientId: 'To',
  referralDisplay: 'What is asked',
  priority: 'Priority',
  occurrenceDate: 'Wanted by',
  reasonCodes: 'Reasons',
  clinicalNote: 'Note',
  sharedResourceTypes: 'What the other facility may see of the record',
} as const satisfies Partial<Record<keyof DraftFormValues, string>>

function DraftForm({ values, fields, facilities, changed }: DraftModel) {
  const now = changed?.now === undefined ? undefined : inWords(changed.now, facilities)
  const typed = inWords(values, facilities)
  const said = (name: keyof typeof labels) => ({
    name,
    label: labels[name],
    error:
      fields.find(({ path }) => path === name)?.message ??
      (now === undefined || now[name] === typed[name] ? undefined : `The draft says now: ${now[name] || 'nothing'}`),
  })
  return (
    <Card>
      <PostForm class="form" {...placeOf(values, changed)}>
        {changed !== undefined && <input type="hidden" name="version" value={changed.version} />}
        {values.form !== undefined && <input type="hidden" name="form" value={values.form} />}
        <input type="hidden" name="patientId" value={values.patientId} />
        <Select
          {...said('receivingFacilityClientId')}
          value={values.receivingFacilityClientId}
          options={facilities}
          required
        />
        <Field
          {...said('referralDisplay')}
          hint="For example: cardiology assessment"
          value={values.referralDisplay}
          maxLength={shortCharactersMax}
          required
        />
        <Select
          {...said('priority')}
          value={values.priority}
          options={priorities.map((value) => ({ value, label: priorityWord(value, english).label }))}
          required
        />
        <Field {...said('occurrenceDate')} type="date" value={values.occurrenceDate} />
        <Field
          {...said('reasonCodes')}
          hint="Codes or words, separated by commas."
          value={values.reasonCodes}
          maxLength={500}
        />
        <Field
          {...said('clinicalNote')}
          hint={`At most ${count(noteCharactersMax)} characters.`}
          rows={5}
          value={values.clinicalNote}
        />
        <SharedTypes ticked={values.sharedResourceTypes ?? []} {...said('sharedResourceTypes')} />
        <div
          aria-live="polite"
          data-preview="/new/gate"
          data-preview-fields="patientId receivingFacilityClientId sharedResourceTypes"
        />
        <div class="actions">
          <Button look="primary">Keep as draft</Button>
        </div>
      </PostForm>
    </Card>
  )
}

/** Where the form goes, and where it is found again by who goes back. */
function placeOf({ patientId, form }: DraftFormValues, changed: DraftModel['changed']) {
  if (changed !== undefined) return { action: `/referrals/${changed.id}/change` }
  const patient = encodeURIComponent(patientId.replace(/^Patient\//, ''))
  return { action: '/new', ...(form === undefined ? {} : { 'data-at': `/new?patient=${patient}&form=${form}` }) }
}

/** What a draft says, as its form shows it. */
const inWords = (values: DraftFormValues, facilities: readonly FacilityChoice[]) => ({
  ...values,
  receivingFacilityClientId:
    facilities.find(({ value }) => value === values.receivingFacilityClientId)?.label ??
    values.receivingFacilityClientId,
  priority: priorityWord(values.priority, english).label,
  clinicalNote: values.clinicalNote.trim(),
  sharedResourceTypes: [...(values.sharedResourceTypes ?? [])]
    .sort()
    .map((type) => shareableWord(type, english))
    .join(', '),
})

interface SharedTypesProps extends Pick<FieldWords, 'name' | 'label' | 'error'> {
  readonly ticked: readonly string[]
}

function SharedTypes({ ticked, name, label, error }: SharedTypesProps) {
  // A group cannot be wrong; the first of it stands for all, and is where the reader goes on.
  const { id, ...ofFirst } = controlAttributes({ name, label, error })
  return (
    <fieldset class="choices" aria-describedby={ofFirst['aria-describedby']}>
      <legend>{label}</legend>
      {error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {/* A program may share what the form has no words for. */}
      {[...new Set([...ticked, ...shareableTypes])].map((type, at) => (
        <label key={type} class="choice">
          <input
            type="checkbox"
            {...(at === 0 ? { id, ...ofFirst } : { name })}
            value={type}
            checked={ticked.includes(type)}
          />{' '}
          {shareableWord(type, english)}
        </label>
      ))}
    </fieldset>
  )
}
