import { timeRangeOf } from '../../date.ts'
import { has, hasChoice, hasOneOf, listAt, type Rules } from './rule.ts'

/** People, organisations, appointments, consents, tasks and the record of who did what. */
export const administrationRules: Rules = {
  'Patient.contact': [
    {
      id: 'pat-1',
      holds: (contact) => hasOneOf(contact, ['name', 'telecom', 'address', 'organization']),
      advice: 'A contact needs a name, telecom, address or organization.',
    },
  ],
  Organization: [
    {
      id: 'org-1',
      holds: (organisation) => hasOneOf(organisation, ['identifier', 'name']),
      advice: 'An organization needs a name or an identifier.',
    },
    {
      id: 'org-2',
      holds: (organisation) => listAt(organisation, 'address').every((address) => address['use'] !== 'home'),
      advice: 'The address of an organization cannot be of use home.',
    },
    {
      id: 'org-3',
      holds: (organisation) => listAt(organisation, 'telecom').every((telecom) => telecom['use'] !== 'home'),
      advice: 'The telecom of an organization cannot be of use home.',
    },
  ],
  Appointment: [
    {
      id: 'app-2',
      holds: (appointment) => has(appointment, 'start') === has(appointment, 'end'),
      advice: 'Give both start and end, or neither.',
    },
    {
      id: 'app-3',
      holds: (appointment) =>
        (has(appointment, 'start') && has(appointment, 'end')) ||
        ['proposed', 'cancelled', 'waitlist'].some((status) => status === appointment['status']),
      advice: 'Only an appointment that is proposed, cancelled or on the waitlist may lack start and end.',
    },
    {
      // The official expression says no-show, which is no code of the status; noshow is meant.
      id: 'app-4',
      holds: (appointment) =>
        !has(appointment, 'cancelationReason') ||
        ['cancelled', 'noshow'].some((status) => status === appointment['status']),
      advice: 'A cancelation reason stands only with the status cancelled or noshow.',
    },
  ],
  'Appointment.participant': [
    {
      id: 'app-1',
      holds: (participant) => hasOneOf(participant, ['type', 'actor']),
      advice: 'A participant needs a type or an actor.',
    },
  ],
  // ppc-2 to ppc-5 want a patient for some scopes, but of a system called "something": no real consent is meant.
  Consent: [
    {
      id: 'ppc-1',
      holds: (consent) => hasOneOf(consent, ['policy', 'policyRule']),
      advice: 'A consent needs a policy or a policyRule.',
    },
  ],
  Task: [
    {
      id: 'inv-1',
      holds: ({ lastModified, authoredOn }) => {
        if (typeof lastModified !== 'string' || typeof authoredOn !== 'string') return true
        const authored = timeRangeOf(authoredOn)
        const modified = timeRangeOf(lastModified)
        return authored === undefined || modified === undefined || authored.low < modified.high
      },
      advice: 'A task cannot be modified before it was authored. Correct lastModified or authoredOn.',
    },
  ],
  'AuditEvent.entity': [
    {
      id: 'sev-1',
      holds: (entity) => !has(entity, 'name') || !has(entity, 'query'),
      advice: 'An entity of an audit event has a name or a query, not both.',
    },
  ],
  'Parameters.parameter': [
    {
      id: 'inv-1',
      holds: (parameter) =>
        [has(parameter, 'resource'), has(parameter, 'part'), hasChoice(parameter, 'value')].filter(Boolean).length ===
        1,
      advice: 'A parameter has exactly one of value[x], resource and part.',
    },
  ],
}
