import { describe, expect, it } from 'vitest'
import { renderFragment } from '../../../../packages/views/render.ts'
import { troubledFlow } from '../fixtures/troubled-flow.ts'
import { FlowView } from './overview-page.tsx'
import type { FlowModel } from './flow-model.ts'
import { drawingInWords, drawnStages } from './stage-model.ts'

const channels = troubledFlow.channels.map(({ channel }) => channel)
const render = (flow: FlowModel) => renderFragment(<FlowView flow={flow} />)

describe('the drawing of the stages', () => {
  it('says in words what it shows', () => {
    const words = drawingInWords(drawnStages(troubledFlow.now, { channels, breakers: troubledFlow.breakers }))
    expect(words).toContain('Receive: 214 a minute, Channels: 7 of 8 listen')
    expect(words).toContain('Enrich: 1.2 ms, Patient index: Being tried, Facilities: Answers')
    expect(words).toContain('Persist: 3.8 ms, FHIR server: Does not answer, Retry queue: 1,204 waiting')
    expect(words).toContain('Dispatch: in the background, Deliveries: 3 given up')
    expect(words).toContain('Answer: 8.4 ms')
  })

  it('has a switch for each breaker', () => {
    const drawn = drawnStages(troubledFlow.now, { channels, breakers: new Map() })
    expect(drawn.flatMap(({ plates }) => plates.flatMap(({ breaker }) => breaker ?? []))).toEqual(
      Array.from({ length: 5 }, () => 'CLOSED'),
    )
  })
})

describe('the overview', () => {
  it('names what needs somebody', () => {
    const html = render(troubledFlow)
    expect(html).toContain('FHIR server: does not answer')
    expect(html).toContain('Patient index: is being tried again')
    expect(html).toContain('Cannot listen: MFN')
    expect(html).toContain('Silent: SIU')
    expect(html).toContain('2 critical results wait to be acknowledged')
    expect(html).toContain('the oldest for 14 min')
    expect(html).toContain('Audit records for the repository: 12,345 waiting, the oldest for 24 h')
    expect(html).toContain('Audit events for the FHIR store: 2 given up')
    expect(html).toContain('corridor background dead bridge.audit.fhir')
    expect(html).not.toContain('coordination service')
  })

  it('shows what senders write as text', () => {
    expect(render(troubledFlow)).not.toContain('<b>CENTRAL')
  })

  it('is calm while nothing has come and all is well', () => {
    const history = { received: [], failed: [], medianMs: [], byChannel: new Map(), ackCodes: new Map() }
    const nothing = { lastMinute: 0, failed: 0, deliveriesWaiting: 0, deliveriesDead: 0, stages: [], latest: [] }
    const now = {
      at: troubledFlow.now.at,
      history,
      queue: { depth: 0, oldest: null },
      openAlerts: 0,
      background: [],
      ...nothing,
    }
    const html = render({ now, channels: [], breakers: new Map() })
    expect(html).toContain('No message has come in yet')
    expect(html).toContain('Nothing was answered.')
    expect(html).not.toContain('class="alert')
    // What failed the day before yesterday is still to be tried again.
    expect(html).toContain('older ones: see the dead letters')
    expect(html).toContain('href="/console/messages?status=QUEUED"')
  })
})
