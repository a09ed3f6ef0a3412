import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { ConsoleFrame, type FrameModel } from './console-frame.tsx'

export function OverviewPage({ model }: { readonly model: FrameModel }) {
  return (
    <ConsoleFrame model={model} title="Overview" here="overview">
      <PageHead title="What flows now" />
    </ConsoleFrame>
  )
}
