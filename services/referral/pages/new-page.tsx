import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { Field } from '../../../packages/views/components/field.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PatientBanner } from '../../../packages/views/components/patient-banner.tsx'
import { PersonName } from '../../../packages/views/components/person-name.tsx'
import { SearchBox } from '../../../packages/views/components/search-box.tsx'
import { Select } from '../../../packages/views/components/select.tsx'
import { Table } from '../../../packages/views/components/table.tsx'
import { CalendarDate } from '../../../packages/views/components/time.tsx'
import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import { priorities } from '../referral.ts'
import { ReferralFrame, type FrameModel } from './referral-frame.tsx'
import { priorityWords, shareable } from './words.ts'

export interface NewModel extends FrameModel {
  readonly search: string
  readonly found: readonly ShownPatient[]
  readonly patient: ShownPatient | undefined
  readonly facilities: readonly { readonly value: string; readonly label: string }[]
}

/** First the patient, then what is asked. */
export function NewPage({ model }: { readonly model: NewModel }) {
  const { patient } = model
  return (
    <ReferralFrame
      model={model}
      title="New referral"
      here="new"
      banner={patient && <PatientBanner {...patient} />}
      scripts={['form-preview.js']}
    >
      <PageHead
        title="New referral"
        lead={
          patient === undefined ? 'Whom do you refer?' : 'Nothing leaves before you have seen it once more and sent it.'
        }
      />
      {patient === undefined ? (
        <FindPatient {...model} />
      ) : (
        <DraftForm patient={patient} facilities={model.facilities} />
      )}
    </ReferralFrame>
  )
}

function FindPatient({ search, found }: NewModel) {
  return (
    <>
      <SearchBox label="Find a patient" name="search" value={search} placeholder="Name or number" action="/new" />
      {search === '' ? (
        <EmptyState title="Find the patient by name or number" />
      ) : (
        <Card flush>
          <Table
            label="Patients"
            rows={found}
            stacks
            empty={{ title: 'Nobody of that name or number', children: 'Check the spelling, or search by the number.' }}
            columns={[
              {
                heading: 'Name',
                cell: ({ id, name }) => (
                  <a href={`/new?patient=${encodeURIComponent(id)}`}>
                    <PersonName name={name} />
                  </a>
                ),
              },
              {
                heading: 'Born',
                kind: 'date',
                cell: ({ birthDate }) => (birthDate === undefined ? '–' : <CalendarDate date={birthDate} />),
              },
              { heading: 'Sex', cell: ({ sex }) => sex ?? '–' },
              {
                heading: 'Numbers',
                kind: 'id',
                cell: ({ identifiers }) => <bdi>{identifiers.map(({ value }) => value).join(', ')}</bdi>,
              },
            ]}
          />
        </Card>
      )}
    </>
  )
}

function DraftForm({ patient, facilities }: { readonly patient: ShownPatient } & Pick<NewModel, 'facilities'>) {
  if (facilities.length === 0) {
    return (
      <Alert tone="warning" title="There is no facility to refer to">
        An administrator registers facilities in the configuration (referral.facilities).
      </Alert>
    )
  }
  return (
    <Card>
      <form class="form" method="post" action="/new">
        <input type="hidden" name="patientId" value={`Patient/${patient.id}`} />
        <Select name="receivingFacilityClientId" label="To" options={facilities} required />
        <Field
          name="referralDisplay"
          label="What is asked"
          hint="For example: cardiology assessment"
          maxLength={128}
          required
        />
        <Select
          name="priority"
          label="Priority"
          value="ROUTINE"
          options={priorities.map((value) => ({ value, label: priorityWords[value].label }))}
        />
        <Field name="occurrenceDate" label="Wanted by" type="date" />
        <Field name="reasonCodes" label="Reasons" hint="Codes or words, separated by commas." maxLength={500} />
        <Field name="clinicalNote" label="Note" rows={5} maxLength={2048} />
        <fieldset class="choices">
          <legend>What the other facility may see of the record</legend>
          {Object.entries(shareable).map(([type, label]) => (
            <label key={type} class="choice">
              <input type="checkbox" name="sharedResourceTypes" value={type} /> {label}
            </label>
          ))}
        </fieldset>
        <div
          aria-live="polite"
          data-preview="/new/gate"
          data-preview-fields="patientId receivingFacilityClientId sharedResourceTypes"
        />
        <div class="actions">
          <Button look="primary">Keep as draft</Button>
        </div>
      </form>
    </Card>
  )
}
