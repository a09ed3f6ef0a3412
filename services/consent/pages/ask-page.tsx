import { FindPatient } from '../../../packages/people/find-patient.tsx'
import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PatientBanner } from '../../../packages/views/components/patient-banner.tsx'
import { AnswerView, type Answer } from './answer-view.tsx'
import { AskForm, type AskedValues } from './ask-form.tsx'
import { ConsentFrame, type FrameModel } from './consent-frame.tsx'
import type { FacilityChoice } from '../../../ports/fhir-store/facility-choices.ts'

export interface AskModel extends FrameModel {
  readonly search: string
  readonly found: readonly ShownPatient[]
  readonly hasMore: boolean
  readonly patient: ShownPatient | undefined
  readonly values: AskedValues
  readonly facilities: readonly FacilityChoice[]
  readonly resourceTypes: ReadonlySet<string>
  /** What was typed as the device can be none. */
  readonly isDeviceWrong?: boolean
  readonly answer?: Answer
}

/** First the patient, then the question, then the answer with its reasons. */
export function AskPage({ model }: { readonly model: AskModel }) {
  const { patient, facilities, answer } = model
  return (
    <ConsentFrame
      model={model}
      title="Ask the question"
      here="ask"
      banner={
        patient && (
          <PatientBanner
            {...patient}
            actions={
              <>
                <Button href={`/patients/${patient.id}`}>Consents</Button>
                <Button href="/ask">Another patient</Button>
              </>
            }
          />
        )
      }
    >
      <PageHead
        title="Ask the question"
        lead="May somebody do something with the data of a patient? The question is written down."
      />
      {patient === undefined ? (
        <FindPatient {...model} action="/ask" hrefOf={(id) => `/ask?patient=${id}`}>
          Everything that they have agreed to or refused is then on one page.
        </FindPatient>
      ) : facilities.length === 0 ? (
        <Alert tone="warning" title="There is no facility to ask about">
          Facilities come from the registry; none is known yet.
        </Alert>
      ) : (
        <div class={answer === undefined ? 'stack' : 'columns'}>
          {answer !== undefined && (
            <div class="stack">
              <AnswerView answer={answer} />
            </div>
          )}
          <AskForm {...model} patientId={patient.id} />
        </div>
      )}
    </ConsentFrame>
  )
}
