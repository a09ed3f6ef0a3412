import type { ServiceRequest, Specimen } from '../../../packages/fhir/r4.ts'
import { modifiersOf } from '../mapping/dt/modifiers.ts'
import { cwe, repeatedCodes } from './dt/coded.ts'
import { hd, identifierOf } from './dt/identifiers.ts'
import { hl7Time } from './dt/times.ts'
import type { WriterDeps, WrittenSegment } from './written-segment.ts'

/** SPM of each specimen that an order names: its numbers, what it is, and when it was or is to be taken. */
export const spmsFrom = ({ specimen }: ServiceRequest, deps: WriterDeps): WrittenSegment[] =>
  (specimen ?? [])
    .map((reference) => deps.resolve(reference))
    .filter((found) => found?.resourceType === 'Specimen')
    .map((found, index) => spm(found, index + 1, deps))

function spm(specimen: Specimen, setId: number, deps: WriterDeps): WrittenSegment {
  const { collectedDateTime, collectedPeriod, method, bodySite } = specimen.collection ?? {}
  const collected = [hl7Time(collectedDateTime ?? collectedPeriod?.start), hl7Time(collectedPeriod?.end)]
  return {
    name: 'SPM',
    fields: {
      1: setId,
      2: numbersOf(specimen, deps),
      4: cwe(specimen.type, deps),
      7: cwe(method, deps),
      8: cwe(bodySite, deps),
      9: repeatedCodes(modifiersOf(bodySite), deps),
      17: collected[0] === undefined && collected[1] === undefined ? undefined : collected,
      18: hl7Time(specimen.receivedTime),
    },
  }
}

/** EIP: the number that the placer gave it and the one that the filler gave it. */
function numbersOf({ identifier }: Specimen, { authorities }: WriterDeps) {
  const number = (kind: string) => {
    const found = identifierOf(identifier, kind)
    return found?.value === undefined ? undefined : [found.value, ...hd(found, authorities)]
  }
  const [placer, filler] = [number('PGN'), number('FGN')]
  return placer === undefined && filler === undefined ? undefined : [placer, filler]
}
