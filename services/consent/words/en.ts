/** What a patient reads of their own consents. English, and with it the list of what every language has to say. */
export const en = {
  title: 'Your consents',
  lead: 'Who may see your health record, and who may not. Where you have said nothing, only what the rules of the exchange allow for everybody is shared; your no always counts more than a yes.',
  noneTitle: 'You have not agreed to anything yet, and refused nothing',
  noneText: 'Talk to the facility that treats you: they can record what you want to share.',
  noRecordTitle: 'This account has no health record of its own',
  noRecordText:
    'Patients see their own consents here. What is recorded for somebody for whom you speak, the facility that treats them can tell you.',

  recorded: 'Recorded {date}',

  provision_permit: '✓ Permits',
  provision_deny: '✕ Refuses',
  state_active: 'In force',
  state_waiting: 'Not yet in force',
  state_ended: 'Ended',
  state_revoked: 'Withdrawn',

  sentence_permit_one: '{who} {may} {deeds} {purpose}{from}{until}{limits}.',
  sentence_permit_all: 'Everybody {may} {deeds} {purpose}{from}{until}{limits}.',
  sentence_deny_one: '{who} {may} {deeds} {purpose}{from}{until}{limits}.',
  sentence_deny_all: '{may} {deeds} {purpose}{from}{until}{limits}.',
  may_permit_one: 'may',
  may_permit_all: 'may',
  may_deny_one: 'may not',
  may_deny_all: 'Nobody may',

  deed: '{operations} {what}',
  betweenDeeds_permit: ', and ',
  betweenDeeds_deny: ', or ',

  operation_read: 'read',
  operation_readOne: 'read one by one',
  operation_search: 'search for',
  operation_write: 'write',
  operation_add: 'add',
  operation_change: 'change',
  operation_delete: 'delete',
  operation_none: 'do nothing with',

  all_permit: 'everything in the record',
  all_deny: 'anything in the record',
  rest_permit: 'everything else in the record',
  rest_deny: 'anything else in the record',

  type_Observation: 'results and vital signs',
  type_Condition: 'diagnoses and problems',
  type_DiagnosticReport: 'reports',
  type_MedicationRequest: 'prescriptions',
  type_AllergyIntolerance: 'allergies',
  type_Immunization: 'vaccinations',
  type_Encounter: 'visits',
  type_DocumentReference: 'documents',
  type_Patient: 'personal details',
  type_Appointment: 'appointments',
  moreKinds: { one: '{count} more kind', other: '{count} more kinds' },

  purposeAny_permit: 'for any purpose',
  purposeAny_deny: 'for any purpose',
  purposeFor: 'for {purposes}',
  purpose_TREAT: 'treatment',
  purpose_ETREAT: 'emergencies',
  purpose_HRESCH: 'research',
  purpose_PUBHLTH: 'public health',
  purpose_HPAYMT: 'payment',
  purpose_HOPERAT: 'running the service',
  purpose_BTG: 'opening the record in an emergency',

  from: ' from {day}',
  until: ' until {day}',
  untilNotice: ', until further notice',
  limits: ', within limits that the facility can explain',

  meaning_over: 'This no longer counts. It is kept so that everybody can see what held and when.',
  meaning_waiting_permit: 'You have agreed to this. It does not count before its first day.',
  meaning_waiting_deny: 'You have said no. It does not count before its first day.',
  meaning_permit:
    'You have agreed to this. They can use it only for what is named here, and every question about it is written down.',
  meaning_deny_one:
    'You have said no. Nobody can set this aside for them, even where another of your consents says yes.',
  meaning_deny_all:
    'You have said no. Nobody can set this aside for anybody, even where another of your consents says yes.',

  againstOwn: 'You have also said no to some of it, and your no counts more: {numbers}.',
  number: 'number {id}',
  againstRules: 'A rule of the exchange says no to some of it. That counts more than what you have agreed to.',
  ask: 'To change or withdraw it, ask {facility} and give them the number {id}.',
  askAny: 'To change or withdraw it, ask the facility that treats you and give them the number {id}.',
} as const
