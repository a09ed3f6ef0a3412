import type { FhirResource, Reference } from '../../../packages/fhir/r4.ts'
import type { Fields, MessageBuilder } from '../../../packages/hl7/index.ts'
import type { Authorities } from './dt/identifiers.ts'

/** A segment as packages/hl7's builder takes it. */
export interface WrittenSegment {
  readonly name: string
  readonly fields: Fields
}

/** What the writers know beside the resource. */
export interface WriterDeps {
  readonly authorities: Authorities
  /** The resource that a reference means, where it is at hand. Without it only `display` and `identifier` are written. */
  readonly resolve: (reference: Reference) => FhirResource | undefined
}

export function addSegments(builder: MessageBuilder, segments: readonly (WrittenSegment | undefined)[]): void {
  for (const segment of segments) if (segment !== undefined) builder.add(segment.name, segment.fields)
}
