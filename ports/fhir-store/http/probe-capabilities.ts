import { systemClock, type Clock } from '../../../packages/clock/clock.ts'
import type { CapabilityStatement } from '../../../packages/fhir/r4.ts'
import type { StoreCapabilities } from '../fhir-store.ts'
import type { CallOptions } from '../../call-options.ts'
import { expectResource } from '../read-resource.ts'
import type { StoreCalls } from './store-calls.ts'

const freshMs = 600_000

/** Asks the server once what it can do and believes it for ten minutes. */
export function probeCapabilities(
  calls: StoreCalls,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): (call?: CallOptions) => Promise<StoreCapabilities> {
  let known: { readonly capabilities: StoreCapabilities; readonly untilMs: number } | undefined
  return async (call) => {
    const nowMs = clock.monotonicMs()
    if (known !== undefined && nowMs < known.untilMs) return known.capabilities
    const { resource } = await calls.send('metadata', {}, call)
    const capabilities = capabilitiesOf(expectResource(resource, 'CapabilityStatement') as CapabilityStatement)
    known = { capabilities, untilMs: nowMs + freshMs }
    return capabilities
  }
}

/** What is not claimed is not there. */
function capabilitiesOf({ rest = [] }: CapabilityStatement): StoreCapabilities {
  const server = rest.find(({ mode }) => mode === 'server')
  const conditional = new Set(
    (server?.resource ?? []).filter((one) => one.conditionalUpdate === true).map(({ type }): string => type),
  )
  const can = (interaction: string) => server?.interaction?.some(({ code }) => code === interaction) === true
  return {
    transaction: can('transaction'),
    batch: can('batch'),
    conditionalUpdate: (type) => conditional.has(type),
  }
}
