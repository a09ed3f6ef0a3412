import type { FaultField } from '../../../packages/faults/fault.ts'
import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PatientBanner } from '../../../packages/views/components/patient-banner.tsx'
import { ConsentFields } from './consent-fields.tsx'
import type { ConsentFormValues } from './consent-form.ts'
import { ConsentFrame, type FrameModel } from './consent-frame.tsx'
import type { FacilityChoice } from './names-in.ts'

export interface NewModel extends FrameModel {
  readonly patient: ShownPatient
  readonly values: ConsentFormValues
  /** What is wrong with them. */
  readonly fields: readonly FaultField[]
  readonly facilities: readonly FacilityChoice[]
}

/** The first step of recording a consent: saying it. */
export function NewPage({ model }: { readonly model: NewModel }) {
  const { patient, fields } = model
  return (
    <ConsentFrame model={model} title="Record a consent" here="patients" banner={<PatientBanner {...patient} />}>
      <PageHead title="Record a consent" lead="Nothing is kept before you have seen what it changes." />
      {fields.length > 0 && (
        <Alert tone="bad" urgent title="Something is missing or does not fit">
          <ul class="plain-list">
            {fields.map(({ path, message }) => (
              <li key={path}>{message}</li>
            ))}
          </ul>
        </Alert>
      )}
      <Card>
        <form class="form" method="post" action={`/patients/${patient.id}/new`}>
          <ConsentFields {...model} />
          <div class="actions">
            <Button look="primary" name="step" value="preview">
              See what it changes
            </Button>
            <Button look="quiet" href={`/patients/${patient.id}`}>
              Cancel
            </Button>
          </div>
        </form>
      </Card>
    </ConsentFrame>
  )
}
