import { FindPatient } from '../../../packages/people/find-patient.tsx'
import type { ShownPatient } from '../../../packages/people/shown-patient.ts'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { ConsentFrame, type FrameModel } from './consent-frame.tsx'

interface StartModel extends FrameModel {
  readonly search: string
  readonly found: readonly ShownPatient[]
  readonly hasMore: boolean
}

export function StartPage({ model }: { readonly model: StartModel }) {
  return (
    <ConsentFrame model={model} title="Consents" here="patients">
      <PageHead title="Consents" lead="What patients share, with whom, for what, and until when." />
      <FindPatient {...model} action="/" hrefOf={(id) => `/patients/${id}`}>
        Everything that they have agreed to or refused is then on one page.
      </FindPatient>
    </ConsentFrame>
  )
}
