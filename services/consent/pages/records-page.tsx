import { pageQueryTo } from '../../../packages/http/page-envelope.ts'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Pagination, type PaginationProps } from '../../../packages/views/components/pagination.tsx'
import { Select } from '../../../packages/views/components/select.tsx'
import { Table } from '../../../packages/views/components/table.tsx'
import { Time } from '../../../packages/views/components/time.tsx'
import { NamedPatient } from '../../../packages/people/named-patient.tsx'
import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { ConsentFrame, type FrameModel } from './consent-frame.tsx'
import { ConsentSentence, type NameOf } from './consent-sentence.tsx'
import { stateOn } from './consent-state.ts'
import { Marks } from './consent-timeline.tsx'
import type { FacilityChoice } from '../../../ports/fhir-store/facility-choices.ts'

interface RecordsModel extends FrameModel {
  readonly organisation: string
  readonly organisations: readonly FacilityChoice[]
  readonly records: readonly ConsentRecord[]
  readonly page: PaginationProps['page']
  readonly nameOf: NameOf
  /** Those whom the reader may see, by reference. */
  readonly patients: ReadonlyMap<string, ShownPatient>
  readonly today: string
}

/** The records that one organisation owns. */
export function RecordsPage({ model }: { readonly model: RecordsModel }) {
  const { organisation, organisations, records, nameOf, today } = model
  return (
    <ConsentFrame model={model} title="Records" here="records">
      <PageHead title="Records" lead="What an organisation has recorded, newest first." />
      <Card>
        <form class="form" method="get" action="/admin/records">
          <Select name="organisation" label="Organisation" value={organisation} options={organisations} required />
          <div class="actions">
            <Button>Show</Button>
          </div>
        </form>
      </Card>
      <Card flush>
        <Table
          label="Records"
          rows={records}
          stacks
          empty={{
            title: 'This organisation has recorded nothing',
            children: 'Consents appear here as soon as somebody of it records one.',
          }}
          columns={[
            {
              heading: 'Consent',
              cell: (record) => (
                <p>
                  <ConsentSentence terms={record} nameOf={nameOf} />
                </p>
              ),
            },
            { heading: 'Patient', cell: (record) => <Whose record={record} {...model} /> },
            { heading: 'State', cell: (record) => <Marks record={record} state={stateOn(today, record)} /> },
            { heading: 'Recorded', kind: 'date', cell: ({ createdAt }) => <Time at={createdAt} /> },
            { heading: 'Number', kind: 'number', cell: ({ id }) => id },
            { heading: 'Steps', cell: (record) => <Step record={record} /> },
          ]}
        />
        <Pagination
          page={model.page}
          hrefOf={(number) =>
            `/admin/records?organisation=${encodeURIComponent(organisation)}&${pageQueryTo(number, model.page)}`
          }
        />
      </Card>
    </ConsentFrame>
  )
}

type WhoseProps = { readonly record: ConsentRecord } & Pick<RecordsModel, 'patients'>

function Whose({ record: { patientId, id }, patients }: WhoseProps) {
  if (patientId === null) return <>Everybody: a policy</>
  return (
    <NamedPatient
      patient={patients.get(patientId)}
      reference={patientId}
      href={`/patients/${patientId.replace(/^Patient\//, '')}#consent-${id}`}
    />
  )
}

function Step({ record: { id, status } }: { readonly record: ConsentRecord }) {
  if (status === 'inactive') return <>–</>
  const named = <span class="visually-hidden"> consent {id}</span>
  return (
    <span class="facts">
      <a href={`/consents/${id}/change`}>Change{named}</a> <a href={`/consents/${id}/revoke`}>Revoke{named}</a>
    </span>
  )
}
