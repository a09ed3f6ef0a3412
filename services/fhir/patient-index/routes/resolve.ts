import { Type } from 'typebox'
import type { Patient } from '../../../../packages/fhir/r4.ts'
import { flag, list, object, oneOf, optional, text } from '../../../../packages/http/fields.ts'
import { route } from '../../../../packages/http/route.ts'
import { allowed } from '../../../../packages/http/who.ts'
import { recognisePatients, resolvePatients, type ResolveDeps } from '../resolve.ts'

const patientsMax = 500

const word = text({ optional: true })

/** What is read of a Patient, each member as optional. Its codes and dates are taken as they come: nothing is stored. */
const SomePatient = object({
  resourceType: oneOf(['Patient']),
  name: optional(list(object({ use: word, family: word, given: optional(list(text())), text: word }))),
  identifier: optional(
    list(
      object({
        ...{ use: word, system: word, value: word },
        type: optional(object({ coding: optional(list(object({ code: word }))) })),
      }),
    ),
  ),
  birthDate: word,
  gender: word,
  telecom: optional(list(object({ system: word, value: word }))),
  address: optional(list(object({ postalCode: word }))),
  // Whether the sender says that nobody knows who this is.
  extension: optional(list(object({ url: text(), valueBoolean: optional(flag()) }))),
})

/** Of another process of Corridor: what `$match` cannot say in one call (many people, and making golden records). */
export const resolveRoute = route({
  method: 'POST',
  path: '/api/patient-index/resolve',
  who: allowed('services of the platform (role SYSTEM)', ({ roles }) => roles.has('SYSTEM')),
  tags: ['patient index'],
  summary: 'The golden record of each patient; whoever is not found for certain gets one',
  input: {
    body: object({
      patients: list(SomePatient, { min: 1, max: patientsMax }),
      onlyRecognise: optional(flag({ description: 'Write nothing: newcomers are told apart and stay unknown.' })),
    }),
  },
  output: {
    200: object({
      resolutions: list(
        object({
          goldenId: text(),
          outcome: oneOf(['known', 'matched', 'new']),
          grade: optional(oneOf(['certain', 'probable', 'possible'])),
          score: optional(Type.Number()),
          rivals: optional(list(text())),
          goldenBefore: optional(list(text())),
        }),
      ),
    }),
  },
  limits: { bodyBytesMax: 8 * 1024 * 1024 },
  run: async ({ body }, deps: ResolveDeps) => ({
    resolutions: await (body.onlyRecognise === true ? recognisePatients : resolvePatients)(
      body.patients as Patient[],
      deps,
    ),
  }),
})
