import type { Messages } from './messages.ts'

export const fr: Messages = {
  title: 'Vos consentements',
  lead: 'Qui peut voir votre dossier de santé, et qui ne le peut pas. Si vous n’avez rien dit, seul ce que les règles de l’échange permettent à tous est partagé ; votre refus l’emporte toujours sur un accord.',
  noneTitle: 'Vous n’avez encore rien accepté, ni rien refusé',
  noneText: 'Parlez-en à l’établissement qui vous soigne : il peut enregistrer ce que vous voulez partager.',
  noRecordTitle: 'Ce compte n’a pas de dossier de santé à lui',
  noRecordText:
    'Les patients voient ici leurs propres consentements. Ce qui est enregistré pour une personne au nom de laquelle vous parlez, l’établissement qui la soigne peut vous le dire.',

  recorded: 'Enregistré le {date}',

  provision_permit: '✓ Autorise',
  provision_deny: '✕ Refuse',
  state_active: 'En vigueur',
  state_waiting: 'Pas encore en vigueur',
  state_ended: 'Terminé',
  state_revoked: 'Retiré',

  sentence_permit_one: '{who} {may} {deeds} {purpose}{from}{until}{limits}.',
  sentence_permit_all: 'Tout le monde {may} {deeds} {purpose}{from}{until}{limits}.',
  sentence_deny_one: '{who} {may} {deeds} {purpose}{from}{until}{limits}.',
  sentence_deny_all: '{may} {deeds} {purpose}{from}{until}{limits}.',
  may_permit_one: 'peut',
  may_permit_all: 'peut',
  may_deny_one: 'ne peut pas',
  may_deny_all: 'Personne ne peut',

  deed: '{operations} {what}',
  betweenDeeds_permit: ', et ',
  betweenDeeds_deny: ', ni ',

  operation_read: 'lire',
  operation_readOne: 'lire un par un',
  operation_search: 'rechercher',
  operation_write: 'modifier',
  operation_add: 'ajouter',
  operation_change: 'corriger',
  operation_delete: 'supprimer',
  operation_none: 'ne rien faire avec',

  all_permit: 'tout le dossier',
  all_deny: 'quoi que ce soit dans le dossier',
  rest_permit: 'tout le reste du dossier',
  rest_deny: 'quoi que ce soit d’autre dans le dossier',

  type_Observation: 'les résultats et signes vitaux',
  type_Condition: 'les diagnostics et problèmes de santé',
  type_DiagnosticReport: 'les comptes rendus',
  type_MedicationRequest: 'les ordonnances',
  type_AllergyIntolerance: 'les allergies',
  type_Immunization: 'les vaccinations',
  type_Encounter: 'les visites',
  type_DocumentReference: 'les documents',
  type_Patient: 'les données personnelles',
  type_Appointment: 'les rendez-vous',
  moreKinds: { one: '{count} autre sorte de données', other: '{count} autres sortes de données' },

  purposeAny_permit: 'pour tout motif',
  purposeAny_deny: 'pour quelque motif que ce soit',
  purposeFor: 'pour {purposes}',
  purpose_TREAT: 'les soins',
  purpose_ETREAT: 'les urgences',
  purpose_HRESCH: 'la recherche',
  purpose_PUBHLTH: 'la santé publique',
  purpose_HPAYMT: 'le paiement',
  purpose_HOPERAT: 'le fonctionnement du service',
  purpose_BTG: 'l’ouverture du dossier en urgence',

  from: ' à partir du {day}',
  until: ' jusqu’au {day}',
  untilNotice: ', jusqu’à nouvel ordre',
  limits: ', dans des limites que l’établissement peut expliquer',

  meaning_over: 'Ceci n’est plus en vigueur. On le conserve pour que chacun puisse voir ce qui valait, et quand.',
  meaning_waiting_permit: 'Vous avez accepté. Votre accord prendra effet à la date de début.',
  meaning_waiting_deny: 'Vous avez refusé. Votre refus prendra effet à la date de début.',
  meaning_permit:
    'Vous avez accepté. On ne peut s’en servir que pour ce qui est écrit ici, et chaque demande est enregistrée.',
  meaning_deny_one:
    'Vous avez refusé. Personne ne peut passer outre pour cet établissement, même si un autre de vos consentements le permet.',
  meaning_deny_all:
    'Vous avez refusé. Personne ne peut passer outre, pour qui que ce soit, même si un autre de vos consentements le permet.',

  againstOwn: 'Vous en avez aussi refusé une partie, et votre refus l’emporte : {numbers}.',
  number: 'numéro {id}',
  againstRules: 'Une règle de l’échange en interdit une partie. Elle l’emporte sur ce que vous avez accepté.',
  ask: 'Pour le modifier ou le retirer, adressez-vous à {facility} en donnant le numéro {id}.',
  askAny: 'Pour le modifier ou le retirer, adressez-vous à l’établissement qui vous soigne en donnant le numéro {id}.',
}
