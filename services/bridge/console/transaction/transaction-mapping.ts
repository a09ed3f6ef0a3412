import { tryParseMessage, type Message } from '../../../../packages/hl7/index.ts'
import type { Facility, FacilityRegistry } from '../../../../ports/facility-registry/facility-registry.ts'
import type { Terminology } from '../../../../ports/terminology/terminology.ts'
import { linkedByIndex } from '../../mapping/golden-link.ts'
import { mapMessage } from '../../mapping/map-message.ts'
import type { Mapped } from '../../mapping/mapped.ts'
import { termsFrom, type Terms } from '../../mapping/terms.ts'
import { contextOf } from '../../pipeline/2-enrich.ts'
import type { Channel, ChannelId } from '../../pipeline/channel.ts'
import type { TransactionRow } from '../../store/transactions.ts'
import { traceFields, type Trace } from './transaction-trace.ts'

interface MapAgainDeps {
  readonly base: string
  readonly facilities: Pick<FacilityRegistry, 'find'>
  readonly terminology: Pick<Terminology, 'codingsIn'>
  readonly channelOf: (id: ChannelId) => Channel
}

/** A message as it can be read today. */
export interface Retold {
  /** Undefined when the bytes are no message. */
  readonly message: Message | undefined
  /** What it says in FHIR; undefined when it is refused, or when its facility is not known. */
  readonly mapped: Mapped | undefined
  readonly trace: Trace
}

const nothing: Trace = new Map()

/** Maps a message once more, as it was mapped when it came in, and finds out what each field became. Writes nothing. */
export async function mapAgain(
  raw: Uint8Array,
  row: Pick<TransactionRow, 'channel_id' | 'facility_code' | 'golden_patient_id' | 'status' | 'stage' | 'received_at'>,
  deps: MapAgainDeps,
): Promise<Retold> {
  // Sound: only channels write rows.
  const channel = deps.channelOf(row.channel_id as ChannelId)
  const { message } = tryParseMessage(raw, channel.charset === undefined ? {} : { charset: channel.charset })
  if (message === undefined) return { message, mapped: undefined, trace: nothing }
  const facility = await facilityOf(row, deps.facilities)
  if (facility === undefined) return { message, mapped: undefined, trace: nothing }
  const context = contextOf({ channel, receivedAt: row.received_at, message }, facility, deps.base)
  if (context === undefined) return { message, mapped: undefined, trace: nothing }
  const sketch = mapMessage(message, context)
  if (sketch.refused !== undefined) return { message, mapped: undefined, trace: nothing }
  const terms = await termsFor(sketch, deps.terminology)
  const [first] = sketch.patients
  const full = { ...context, terms }
  const again = mapMessage(message, full)
  if (again.refused !== undefined) return { message, mapped: undefined, trace: nothing }
  const goldenIdOf = (fullUrl: string) => (fullUrl === first ? (row.golden_patient_id ?? undefined) : undefined)
  const writes = linkedByIndex(again.writes, goldenIdOf)
  // The link to the golden record comes from no field.
  const trace = await traceFields(message, again, (changed) => mapMessage(changed, full))
  return { message, mapped: { ...again, writes }, trace }
}

/**
 * Nobody is asked about a message that was refused at the door: a registry that takes on whom it sees for the first time
 * must not do so because somebody has looked. When the registry is away, the message alone is shown.
 */
async function facilityOf(
  { facility_code: code, status, stage }: Pick<TransactionRow, 'facility_code' | 'status' | 'stage'>,
  facilities: MapAgainDeps['facilities'],
): Promise<Facility | undefined> {
  if (code === null || (status === 'ERROR' && stage === 'RECEIVE')) return undefined
  try {
    return (await facilities.find([code])).get(code)
  } catch {
    return undefined
  }
}

/** Without the terminology, codes are shown as they came. */
async function termsFor({ needs }: Mapped, terminology: Pick<Terminology, 'codingsIn'>): Promise<Terms> {
  if (needs.length === 0) return new Map()
  try {
    return termsFrom(needs, await terminology.codingsIn(needs))
  } catch {
    return new Map()
  }
}
