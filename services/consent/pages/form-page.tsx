import type { FaultField } from '../../../packages/faults/fault.ts'
import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { FormFaults } from '../../../packages/views/components/form-faults.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PatientBanner } from '../../../packages/views/components/patient-banner.tsx'
import { PostForm } from '../../../packages/views/components/post-form.tsx'
import type { ConsentRecord } from '../record/consent-record.ts'
import { ConsentFields, labels, PeriodAndGround } from './consent-fields.tsx'
import type { ConsentFormValues } from './consent-form.ts'
import { ConsentFrame, type FrameModel } from './consent-frame.tsx'
import { ConsentSentence, type NameOf } from './consent-sentence.tsx'
import type { FacilityChoice } from '../../../ports/fhir-store/facility-choices.ts'
import { placeOf } from './place-of.ts'

/** A record that is changed, and as what it is known. */
export interface ChangedRecord {
  readonly record: ConsentRecord
  readonly nameOf: NameOf
  /** False: the form has no words for what it says, only for its period and its grounds. */
  readonly isSayable: boolean
}

export interface FormModel extends FrameModel {
  /** Nobody where a policy for everybody is changed. */
  readonly patient: ShownPatient | undefined
  /** Nothing where a consent is new. */
  readonly changed?: ChangedRecord
  readonly values: ConsentFormValues
  /** What is wrong with them. */
  readonly fields: readonly FaultField[]
  readonly facilities: readonly FacilityChoice[]
}

/** The first step of recording or changing a consent: saying it. */
export function FormPage({ model }: { readonly model: FormModel }) {
  const { patient, changed, fields } = model
  const title = changed === undefined ? 'Record a consent' : `Change consent ${changed.record.id}`
  return (
    <ConsentFrame
      model={model}
      title={title}
      here={patient === undefined ? 'records' : 'patients'}
      banner={patient && <PatientBanner {...patient} />}
    >
      <PageHead
        title={title}
        lead={
          changed === undefined ? (
            'Nothing is kept before you have seen what it changes.'
          ) : (
            <>
              Now: <ConsentSentence terms={changed.record} nameOf={changed.nameOf} />
            </>
          )
        }
      />
      {changed?.isSayable === false && (
        <Alert tone="info" title="Its period, its legal basis and its note can be changed here">
          What it permits was recorded in more detail than this form can say. To change that, revoke it and record a new
          one.
        </Alert>
      )}
      {fields.length > 0 && (
        <FormFaults fields={fields} labels={labels}>
          <p>Nothing is kept yet.</p>
        </FormFaults>
      )}
      <Card>
        <PostForm class="form" action={stepPath(model)}>
          {changed?.isSayable === false ? <PeriodAndGround {...model} /> : <ConsentFields {...model} />}
          <div class="actions">
            <Button look="primary" name="step" value="preview" looks>
              See what it changes
            </Button>
            <Button look="quiet" href={backOf(model)}>
              Cancel
            </Button>
          </div>
        </PostForm>
      </Card>
    </ConsentFrame>
  )
}

type Target = Pick<FormModel, 'patient'> & { readonly changed?: Pick<ChangedRecord, 'record'> }

/** Where each step of saying a consent goes. */
export const stepPath = ({ patient, changed }: Target): string =>
  changed === undefined ? `/patients/${patient?.id}/new` : `/consents/${changed.record.id}/change`

/** The page that whoever says it came from. */
export const backOf = ({ patient, changed }: Target): string =>
  changed === undefined ? `/patients/${patient?.id}` : placeOf(changed.record)
