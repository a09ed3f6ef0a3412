import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PatientBanner } from '../../../packages/views/components/patient-banner.tsx'
import { PostForm } from '../../../packages/views/components/post-form.tsx'
import type { ConsentTerms } from '../record/consent-record.ts'
import { ChangesView } from './changes-view.tsx'
import { dayInWords } from './consent-clauses.ts'
import type { ConsentFormValues } from './consent-form.ts'
import { ConsentFrame, type FrameModel } from './consent-frame.tsx'
import { ConsentGround } from './consent-ground.tsx'
import { ConsentSentence, type NameOf } from './consent-sentence.tsx'
import { backOf, stepPath, type ChangedRecord } from './form-page.tsx'
import type { Preview } from './preview.ts'

export interface PreviewModel extends FrameModel {
  /** Nobody where a policy for everybody is changed. */
  readonly patient: ShownPatient | undefined
  /** The record that is changed, as it stands now; nothing where a consent is new. */
  readonly changed?: Pick<ChangedRecord, 'record'>
  readonly values: ConsentFormValues
  readonly terms: ConsentTerms
  readonly preview: Preview
  readonly nameOf: NameOf
  /** Something changed between the preview that was shown and the step. */
  readonly isStale: boolean
}

/** The second step of recording or changing a consent: seeing what it changes, and keeping it or not. */
export function PreviewPage({ model }: { readonly model: PreviewModel }) {
  const { patient, changed, terms, preview, nameOf, isStale } = model
  return (
    <ConsentFrame
      model={model}
      title="What it changes"
      here={patient === undefined ? 'records' : 'patients'}
      banner={patient && <PatientBanner {...patient} />}
    >
      <PageHead title="What it changes" lead={<ConsentSentence terms={terms} nameOf={nameOf} />} />
      <ConsentGround terms={terms} />
      {changed !== undefined && (
        <p class="muted">
          Instead of: <ConsentSentence terms={changed.record} nameOf={nameOf} />
        </p>
      )}
      {isStale && <ChangedMeanwhile />}
      {changed?.record.isDomainPolicy === true && <PolicyNote />}
      <ChangesCard preview={preview} nameOf={nameOf} />
      <Opposed {...model} />
      <PostForm class="actions" action={stepPath(model)}>
        <input type="hidden" name="basis" value={preview.basis} />
        {Object.entries(model.values).flatMap(([name, value]) =>
          [value ?? []]
            .flat()
            .map((one, index) => <input key={`${name}-${index}`} type="hidden" name={name} value={one} />),
        )}
        <Button look="primary" name="step" value="keep">
          Keep it
        </Button>
        <Button name="step" value="change" looks>
          Change it
        </Button>
        <Button look="quiet" href={backOf(model)}>
          Cancel
        </Button>
      </PostForm>
    </ConsentFrame>
  )
}

export function PolicyNote() {
  return (
    <Alert tone="warning" title="This is a policy: it decides for every patient">
      What is shown here holds for patients who have recorded nothing themselves.
    </Alert>
  )
}

export function ChangedMeanwhile() {
  return (
    <Alert tone="warning" urgent title="Somebody else changed the consents a moment ago">
      Nothing was done yet. Below is what your step would change now; look at it once more.
    </Alert>
  )
}

export function ChangesCard({ preview, nameOf }: Pick<PreviewModel, 'preview' | 'nameOf'>) {
  if (preview.days.length === 0 && !preview.isPartial) {
    return (
      <Card title="What will change">
        <p>
          No answer turns round: every usual question is answered as before. Other records already decide it, or its
          period is over.
        </p>
      </Card>
    )
  }
  return (
    <>
      {preview.days.map(({ day, changes }) => (
        <Card key={day} title={`What will change on ${dayInWords(day)}`}>
          <ChangesView changes={changes} nameOf={nameOf} />
        </Card>
      ))}
      {preview.isPartial && (
        <Alert tone="info" title="More may change than is shown here">
          These records differ in more ways than are compared here. Facilities that only policies name are left out
          first; an administrator can ask about each of them.
        </Alert>
      )}
    </>
  )
}

function Opposed({ preview, terms, nameOf }: PreviewModel) {
  if (preview.opposed.length === 0) return null
  return (
    <Alert
      tone="warning"
      title={
        terms.provisionType === 'permit'
          ? 'A refusal stands against it: where both speak, the refusal counts'
          : 'It overrules what was permitted'
      }
    >
      <ul class="plain-list">
        {preview.opposed.map((record) => (
          <li key={record.id}>
            Consent {record.id}: <ConsentSentence terms={record} nameOf={nameOf} />
          </li>
        ))}
      </ul>
    </Alert>
  )
}
