import type { Messages } from './messages.ts'

export const es: Messages = {
  title: 'Sus consentimientos',
  lead: 'Quién puede ver su historial de salud y quién no. Si usted no ha dicho nada, solo se comparte lo que las reglas del intercambio permiten a todos; su negativa siempre prevalece sobre un permiso.',
  noneTitle: 'Usted todavía no ha aceptado ni rechazado nada',
  noneText: 'Hable con el centro que le atiende: allí pueden registrar lo que usted quiere compartir.',
  noRecordTitle: 'Esta cuenta no tiene un historial de salud propio',
  noRecordText:
    'Los pacientes ven aquí sus propios consentimientos. Lo que está registrado para una persona en cuyo nombre usted habla puede decírselo el centro que la atiende.',

  recorded: 'Registrado el {date}',

  provision_permit: '✓ Permite',
  provision_deny: '✕ Rechaza',
  state_active: 'Vigente',
  state_waiting: 'Todavía no vigente',
  state_ended: 'Terminado',
  state_revoked: 'Retirado',

  sentence_permit_one: '{who} {may} {deeds} {purpose}{from}{until}{limits}.',
  sentence_permit_all: 'Todos {may} {deeds} {purpose}{from}{until}{limits}.',
  sentence_deny_one: '{who} {may} {deeds} {purpose}{from}{until}{limits}.',
  sentence_deny_all: '{may} {deeds} {purpose}{from}{until}{limits}.',
  may_permit_one: 'puede',
  may_permit_all: 'pueden',
  may_deny_one: 'no puede',
  may_deny_all: 'Nadie puede',

  deed: '{operations} {what}',
  betweenDeeds_permit: ', y ',
  betweenDeeds_deny: ', ni ',

  operation_read: 'leer',
  operation_readOne: 'leer uno por uno',
  operation_search: 'buscar',
  operation_write: 'modificar',
  operation_add: 'añadir',
  operation_change: 'corregir',
  operation_delete: 'eliminar',
  operation_none: 'no hacer nada con',

  all_permit: 'todo el historial',
  all_deny: 'nada del historial',
  rest_permit: 'todo lo demás del historial',
  rest_deny: 'nada más del historial',

  type_Observation: 'los resultados y signos vitales',
  type_Condition: 'los diagnósticos y problemas de salud',
  type_DiagnosticReport: 'los informes',
  type_MedicationRequest: 'las recetas',
  type_AllergyIntolerance: 'las alergias',
  type_Immunization: 'las vacunas',
  type_Encounter: 'las visitas',
  type_DocumentReference: 'los documentos',
  type_Patient: 'los datos personales',
  type_Appointment: 'las citas',
  moreKinds: { one: '{count} clase más de datos', other: '{count} clases más de datos' },

  purposeAny_permit: 'para cualquier fin',
  purposeAny_deny: 'para ningún fin',
  purposeFor: 'para {purposes}',
  purpose_TREAT: 'el tratamiento',
  purpose_ETREAT: 'las urgencias',
  purpose_HRESCH: 'la investigación',
  purpose_PUBHLTH: 'la salud pública',
  purpose_HPAYMT: 'el pago',
  purpose_HOPERAT: 'el funcionamiento del servicio',
  purpose_BTG: 'abrir el historial en una urgencia',

  from: ' desde el {day}',
  until: ' hasta el {day}',
  untilNotice: ', hasta nuevo aviso',
  limits: ', dentro de límites que el centro puede explicar',

  meaning_over: 'Esto ya no está vigente. Se conserva para que todos puedan ver qué estuvo vigente y cuándo.',
  meaning_waiting_permit: 'Usted lo ha aceptado. Entrará en vigor en la fecha de inicio.',
  meaning_waiting_deny: 'Usted se ha negado. Su negativa entrará en vigor en la fecha de inicio.',
  meaning_permit:
    'Usted lo ha aceptado. Solo se puede usar para lo que aquí se dice, y cada consulta queda registrada.',
  meaning_deny_one:
    'Usted se ha negado. Nadie puede pasarlo por alto para este centro, aunque otro de sus consentimientos lo permita.',
  meaning_deny_all:
    'Usted se ha negado. Nadie puede pasarlo por alto, sea para quien sea, aunque otro de sus consentimientos lo permita.',

  againstOwn: 'Usted también ha rechazado una parte, y su negativa prevalece: {numbers}.',
  number: 'número {id}',
  againstRules: 'Una regla del intercambio prohíbe una parte. Prevalece sobre lo que usted ha aceptado.',
  ask: 'Para cambiarlo o retirarlo, diríjase a {facility} e indique el número {id}.',
  askAny: 'Para cambiarlo o retirarlo, diríjase al centro que le atiende e indique el número {id}.',
}
