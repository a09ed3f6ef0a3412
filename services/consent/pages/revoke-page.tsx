import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { Field } from '../../../packages/views/components/field.tsx'
import { FormFaults } from '../../../packages/views/components/form-faults.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PatientBanner } from '../../../packages/views/components/patient-banner.tsx'
import { PostForm } from '../../../packages/views/components/post-form.tsx'
import type { ConsentRecord } from '../record/consent-record.ts'
import { ConsentFrame, type FrameModel } from './consent-frame.tsx'
import { ConsentGround } from './consent-ground.tsx'
import { ConsentSentence, type NameOf } from './consent-sentence.tsx'
import { ExactRecord } from './consent-timeline.tsx'
import { ChangedMeanwhile, ChangesCard, PolicyNote } from './preview-page.tsx'
import { placeOf } from './place-of.ts'
import type { Preview } from './preview.ts'

/** As by the API. */
export const reasonCharactersMax = 256

export interface RevokeModel extends FrameModel {
  readonly record: ConsentRecord
  /** Nobody where it is a policy for everybody. */
  readonly patient: ShownPatient | undefined
  readonly preview: Preview
  readonly nameOf: NameOf
  readonly reason: string
  /** What is wrong with it. */
  readonly wrong?: string
  readonly isStale: boolean
}

const reasonLabel = 'Reason'

/** What revoking a consent would change, before it is done. */
export function RevokePage({ model }: { readonly model: RevokeModel }) {
  const { record, patient, preview, nameOf } = model
  const back = placeOf(record)
  return (
    <ConsentFrame
      model={model}
      title={`Revoke consent ${record.id}`}
      here={patient === undefined ? 'records' : 'patients'}
      banner={patient && <PatientBanner {...patient} />}
    >
      <PageHead title={`Revoke consent ${record.id}?`} lead={<ConsentSentence terms={record} nameOf={nameOf} />} />
      <ConsentGround terms={record} />
      {model.wrong !== undefined && (
        <FormFaults fields={[{ path: 'reason', message: model.wrong }]} labels={{ reason: reasonLabel }}>
          <p>The consent is not revoked yet.</p>
        </FormFaults>
      )}
      {model.isStale && <ChangedMeanwhile />}
      {record.status === 'inactive' ? (
        <Alert title="This consent is revoked already" actions={<Button href={back}>Back</Button>} />
      ) : (
        <>
          {record.isDomainPolicy && <PolicyNote />}
          <ChangesCard preview={preview} nameOf={nameOf} />
          <Card>
            <PostForm class="form" action={`/consents/${record.id}/revoke`}>
              <input type="hidden" name="basis" value={preview.basis} />
              <Field
                name="reason"
                label={reasonLabel}
                hint={`It is kept with the record. At most ${reasonCharactersMax} characters.`}
                value={model.reason}
                error={model.wrong}
                rows={2}
              />
              <div class="actions">
                <Button look="danger">Revoke it</Button>
                <Button look="quiet" href={back}>
                  Cancel
                </Button>
              </div>
            </PostForm>
          </Card>
        </>
      )}
      <ExactRecord record={record} />
    </ConsentFrame>
  )
}
