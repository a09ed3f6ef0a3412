import { BarChart } from '../../../../packages/views/components/bar-chart.tsx'
import { Card } from '../../../../packages/views/components/card.tsx'
import { PageHead } from '../../../../packages/views/components/page-head.tsx'
import { stages } from '../../pipeline/stage.ts'
import { ConsoleFrame, type FrameModel } from '../console-frame.tsx'
import { FlowAlerts } from './flow-alerts.tsx'
import { historyMinutes, type FlowNow } from './flow-figures.ts'
import type { FlowModel } from './flow-model.ts'
import { FlowStats } from './flow-stats.tsx'
import { LatestMessages } from './latest-messages.tsx'
import { Live } from './live.tsx'
import { count, milliseconds } from '../numbers.ts'
import { StageDrawing } from './stage-drawing.tsx'
import { drawnStages } from './stage-model.ts'
import { ackWords, stageNames } from '../state-words.ts'

interface OverviewModel extends FrameModel {
  readonly flow: FlowModel
}

/** What flows now. The whole picture is fetched anew every three seconds while somebody looks. */
export function OverviewPage({ model }: { readonly model: OverviewModel }) {
  return (
    <ConsoleFrame model={model} title="Overview" here="overview" scripts={['refresh-fragment.js']}>
      <PageHead title="What flows now" lead="All channels and all copies of the bridge, renewed every three seconds." />
      <Live at="/console/now" seconds={3}>
        <FlowView flow={model.flow} />
      </Live>
    </ConsoleFrame>
  )
}

export function FlowView({ flow }: { readonly flow: FlowModel }) {
  const { now, breakers } = flow
  const channels = flow.channels.map(({ channel }) => channel)
  return (
    <>
      <FlowAlerts flow={flow} />
      <FlowStats now={now} />
      <Card title="The seven stages">
        <StageDrawing stages={drawnStages(now, { channels, breakers })} />
      </Card>
      <div class="columns">
        <Card title="Latest messages" actions={<a href="/console/messages">All messages</a>} flush>
          <LatestMessages messages={now.latest} />
        </Card>
        <div class="stack">
          <Card title="Time by stage, median and 95 %">
            <TimeByStage now={now} />
          </Card>
          <Card title={`Answers of the last ${historyMinutes} minutes`}>
            <Answers codes={now.history.ackCodes} />
          </Card>
        </div>
      </div>
    </>
  )
}

function TimeByStage({ now }: { readonly now: FlowNow }) {
  const bars = stages.flatMap((stage) => {
    const found = now.stages.find((one) => one.stage === stage)
    if (found === undefined) return []
    const words = `${milliseconds(found.p50)} / ${milliseconds(found.p95)}`
    return [{ label: stageNames[stage], value: found.p50, words }]
  })
  if (bars.length === 0) return <p class="under">No messages within the last hour.</p>
  return <BarChart label="Median time by stage" bars={bars} />
}

function Answers({ codes }: { readonly codes: ReadonlyMap<string, number> }) {
  if (codes.size === 0) return <p class="under">Nothing was answered.</p>
  const bars = [...codes]
    .sort(([, one], [, other]) => other - one)
    .map(([code, value]) => ({ ...(ackWords[code] ?? { label: code }), value, words: count(value) }))
  return <BarChart label="Answers by their code" bars={bars} />
}
