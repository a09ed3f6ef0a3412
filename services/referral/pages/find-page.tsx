import { FindPatient } from '../../../packages/people/find-patient.tsx'
import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { ReferralFrame, type FrameModel } from './referral-frame.tsx'

interface FindModel extends FrameModel {
  readonly search: string
  readonly found: readonly ShownPatient[]
  readonly hasMore: boolean
}

/** The first step of a referral: the patient. */
export function FindPage({ model }: { readonly model: FindModel }) {
  return (
    <ReferralFrame model={model} title="Whom to refer" here="new">
      <PageHead title="New referral" lead="Whom do you refer?" />
      <FindPatient {...model} action="/new" hrefOf={(id) => `/new?patient=${id}`} />
    </ReferralFrame>
  )
}
