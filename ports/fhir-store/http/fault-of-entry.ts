import type { Fault } from '../../../packages/faults/fault.ts'
import type { BundleEntry } from '../../../packages/fhir/r4.ts'
import { broken } from '../read-resource.ts'
import { faultOfStatus } from './fault-of-status.ts'

/** What the status of one entry of a batch means to us; undefined for a success. */
export function faultOfEntry({ response }: BundleEntry): Fault | undefined {
  const status = Number.parseInt(response?.status ?? '', 10)
  if (Number.isNaN(status)) throw broken('an entry without status in the answer')
  return faultOfStatus({ status, headers: new Headers(), json: () => response?.outcome })
}
