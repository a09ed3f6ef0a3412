import { createOwnersOf, type OwnersOf } from '../packages/fhir/compartment.ts'
import { loadDefinitions } from '../packages/fhir/definitions.ts'
import { parseJson } from '../packages/fhir/parse-json.ts'
import { createExtract, type Extract } from '../packages/fhir/search/extract.ts'
import { createValidate, type Validate } from '../packages/fhir/validate/validator.ts'
import { benchmark, type Round } from './harness/benchmark.ts'
import { repeat } from './harness/repeat.ts'

interface World extends AsyncDisposable {
  readonly texts: readonly string[]
  readonly resources: readonly object[]
  readonly validate: Validate
  readonly extract: Extract
  readonly ownersOf: OwnersOf
}

/** One operation takes microseconds, so a hundred are one step. */
const stepSize = 100

export default benchmark<World>({
  name: 'fhir-core',
  title: 'What each part of taking in a Patient and an Observation of 1 kB costs, beside the plain parse of its JSON',
  unit: 'resources/s',
  async setup({ progress }) {
    progress('loading the R4 definitions')
    const definitions = await loadDefinitions()
    const texts = [JSON.stringify(patient), JSON.stringify(observation)]
    return {
      texts,
      resources: texts.map((text) => JSON.parse(text) as object),
      validate: createValidate(definitions),
      extract: createExtract(definitions),
      ownersOf: createOwnersOf('Patient', definitions),
      [Symbol.asyncDispose]: async () => {},
    }
  },
  variants: {
    'plain parse': ({ texts }, round) => each(round, texts, (text) => JSON.parse(text) as unknown),
    'lossless parse': ({ texts }, round) => each(round, texts, parseJson),
    validate: ({ resources, validate }, round) => each(round, resources, validate),
    'extract all search values': ({ resources, extract }, round) => each(round, resources, extract),
    'patient compartment': ({ resources, ownersOf }, round) => each(round, resources, ownersOf),
  },
})

async function each<T>(round: Round, inputs: readonly T[], work: (input: T) => unknown): Promise<number> {
  const steps = await repeat(round, 1, async () => {
    for (let done = 0; done < stepSize; done += inputs.length) for (const input of inputs) work(input)
  })
  return steps * stepSize
}

const narrative = (text: string) => ({
  status: 'generated',
  div: `<div xmlns="http://www.w3.org/1999/xhtml"><p><b>${text}</b></p></div>`,
})

const patient = {
  resourceType: 'Patient',
  id: 'amina',
  meta: { versionId: '1', lastUpdated: '2026-05-01T10:00:00.000Z' },
  text: narrative('Amina Diallo'),
  identifier: [
    {
      use: 'usual',
      type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }] },
      system: 'urn:oid:1.2.36.146.595.217.0.1',
      value: '12345',
      assigner: { reference: 'Organization/central-hospital' },
    },
  ],
  active: true,
  name: [{ use: 'official', family: 'Diallo', given: ['Amina', 'Fatou'] }],
  telecom: [
    { system: 'phone', value: '+221 77 123 45 67', use: 'mobile' },
    { system: 'email', value: 'amina@example.org' },
  ],
  gender: 'female',
  birthDate: '1987-03-14',
  address: [{ use: 'home', line: ['12 Rue des Palmiers'], city: 'Dakar', postalCode: '10200', country: 'SN' }],
  contact: [
    { name: { family: 'Diallo', given: ['Moussa'] }, telecom: [{ system: 'phone', value: '+221 77 765 43 21' }] },
  ],
  managingOrganization: { reference: 'Organization/central-hospital' },
}

const observation = {
  resourceType: 'Observation',
  id: 'glucose',
  meta: { versionId: '1', lastUpdated: '2026-05-01T10:00:00.000Z' },
  text: narrative('Glucose 6.3 mmol/L'),
  identifier: [{ system: 'urn:lab', value: '6323' }],
  status: 'final',
  category: [
    { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
  ],
  code: { coding: [{ system: 'http://loinc.org', code: '15074-8', display: 'Glucose [Moles/volume] in Blood' }] },
  subject: { reference: 'Patient/amina' },
  encounter: { reference: 'Encounter/visit' },
  effectivePeriod: { start: '2026-05-01T09:30:10+01:00', end: '2026-05-01T09:35:10+01:00' },
  issued: '2026-05-01T10:00:00.000Z',
  performer: [{ reference: 'Practitioner/dr-amara' }],
  valueQuantity: { value: 6.3, unit: 'mmol/l', system: 'http://unitsofmeasure.org', code: 'mmol/L' },
  interpretation: [
    { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation', code: 'H' }] },
  ],
  referenceRange: [
    {
      low: { value: 3.1, unit: 'mmol/l', system: 'http://unitsofmeasure.org', code: 'mmol/L' },
      high: { value: 6.2, unit: 'mmol/l', system: 'http://unitsofmeasure.org', code: 'mmol/L' },
    },
  ],
}
