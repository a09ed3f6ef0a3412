import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { Field } from '../../../packages/views/components/field.tsx'
import { PostForm } from '../../../packages/views/components/post-form.tsx'
import { Select } from '../../../packages/views/components/select.tsx'
import { fhirOperations } from '../access-request.ts'
import type { FacilityChoice } from '../../../ports/fhir-store/facility-choices.ts'
import { capital, operationWords, purposeWords, typeWords } from './words.ts'

/** A question as the form holds it. */
export interface AskedValues {
  readonly actor: string
  readonly device: string
  readonly resourceType: string
  readonly operation: string
  readonly purpose: string
}

export const usualQuestion: AskedValues = {
  ...{ actor: '', device: '', resourceType: 'Observation', operation: 'READ', purpose: 'TREAT' },
}

interface AskFormProps {
  readonly patientId: string
  readonly values: AskedValues
  readonly facilities: readonly FacilityChoice[]
  readonly resourceTypes: ReadonlySet<string>
  readonly isDeviceWrong?: boolean
}

export function AskForm({ patientId, values, facilities, resourceTypes, isDeviceWrong = false }: AskFormProps) {
  const others = [...resourceTypes].filter((type) => !Object.hasOwn(typeWords, type)).toSorted()
  return (
    <Card>
      <PostForm class="form" action="/ask">
        <input type="hidden" name="patient" value={patientId} />
        <Select name="actor" label="May" value={values.actor} options={facilities} required />
        <Select
          name="operation"
          label="Do what"
          value={values.operation}
          options={fhirOperations.map((value) => ({ value, label: capital(operationWords[value]) }))}
          required
        />
        <Select
          name="resourceType"
          label="With what"
          value={values.resourceType}
          options={[
            ...Object.entries(typeWords).map(([value, word]) => ({ value, label: capital(word) })),
            ...others.map((value) => ({ value, label: value })),
          ]}
          required
        />
        <Select
          name="purpose"
          label="For which purpose"
          value={values.purpose}
          options={Object.entries(purposeWords).map(([value, word]) => ({ value, label: capital(word) }))}
          required
        />
        <Field
          name="device"
          label="Through which device or app"
          hint="Device/… or the id of an app; records may name it beside the facility."
          value={values.device}
          error={isDeviceWrong ? 'Write Device/ and an id, or the id of an app; neither has spaces.' : undefined}
          maxLength={128}
        />
        <div class="actions">
          <Button look="primary" looks>
            Ask
          </Button>
        </div>
      </PostForm>
    </Card>
  )
}
