import type { Messages } from './messages.ts'

export const sw: Messages = {
  title: 'Ridhaa zako',
  lead: 'Nani anaruhusiwa kuona rekodi yako ya afya, na nani haruhusiwi. Pale ambapo hujasema lolote, kinachoshirikiwa ni kile tu ambacho kanuni za ubadilishanaji zinaruhusu kwa wote; hapana yako ina nguvu kuliko ndiyo daima.',
  noneTitle: 'Bado hujakubali chochote, wala hujakataa chochote',
  noneText: 'Zungumza na kituo kinachokutibu: wanaweza kuandika unachotaka kushiriki.',

  recorded: 'Iliandikwa {date}',

  provision_permit: '✓ Inaruhusu',
  provision_deny: '✕ Inakataa',
  state_active: 'Inatumika',
  state_waiting: 'Bado haijaanza',
  state_ended: 'Imeisha',
  state_revoked: 'Imeondolewa',

  sentence_permit_one: '{who} {may} {deeds} {purpose}{from}{until}{limits}.',
  sentence_permit_all: 'Kila mtu {may} {deeds} {purpose}{from}{until}{limits}.',
  sentence_deny_one: '{who} {may} {deeds} {purpose}{from}{until}{limits}.',
  sentence_deny_all: '{may} {deeds} {purpose}{from}{until}{limits}.',
  may_permit_one: 'inaruhusiwa',
  may_permit_all: 'anaruhusiwa',
  may_deny_one: 'hairuhusiwi',
  may_deny_all: 'Hakuna anayeruhusiwa',

  deed: '{operations} {what}',
  betweenDeeds_permit: ', na ',
  betweenDeeds_deny: ', au ',

  operation_read: 'kusoma',
  operation_readOne: 'kusoma moja moja',
  operation_search: 'kutafuta',
  operation_write: 'kuandika',
  operation_add: 'kuongeza',
  operation_change: 'kubadilisha',
  operation_delete: 'kufuta',
  operation_none: 'kutofanya lolote na',

  all_permit: 'kila kitu kwenye rekodi',
  all_deny: 'chochote kwenye rekodi',
  rest_permit: 'vingine vyote kwenye rekodi',
  rest_deny: 'kingine chochote kwenye rekodi',

  type_Observation: 'matokeo na vipimo vya mwili',
  type_Condition: 'magonjwa na matatizo ya afya',
  type_DiagnosticReport: 'ripoti',
  type_MedicationRequest: 'dawa zilizoandikwa',
  type_AllergyIntolerance: 'mizio',
  type_Immunization: 'chanjo',
  type_Encounter: 'ziara za matibabu',
  type_DocumentReference: 'nyaraka',
  type_Patient: 'taarifa binafsi',
  type_Appointment: 'miadi',
  moreKinds: { one: 'aina {count} nyingine', other: 'aina {count} nyingine' },

  purposeAny_permit: 'kwa sababu yoyote',
  purposeAny_deny: 'kwa sababu yoyote',
  purposeFor: 'kwa {purposes}',
  purpose_TREAT: 'matibabu',
  purpose_ETREAT: 'dharura',
  purpose_HRESCH: 'utafiti',
  purpose_PUBHLTH: 'afya ya umma',
  purpose_HPAYMT: 'malipo',
  purpose_HOPERAT: 'uendeshaji wa huduma',
  purpose_BTG: 'kufungua rekodi wakati wa dharura',

  from: ' kuanzia {day}',
  until: ' hadi {day}',
  untilNotice: ', hadi utakapobadilisha',
  limits: ', ndani ya mipaka ambayo kituo kinaweza kueleza',

  meaning_over: 'Hii haitumiki tena. Inahifadhiwa ili kila mtu aone ni nini kilitumika na lini.',
  meaning_waiting_permit: 'Umekubali hili. Halitumiki kabla ya siku yake ya kwanza.',
  meaning_waiting_deny: 'Umekataa. Halitumiki kabla ya siku yake ya kwanza.',
  meaning_permit: 'Umekubali hili. Inaweza kutumika tu kwa yaliyotajwa hapa, na kila ombi linaandikwa.',
  meaning_deny_one:
    'Umekataa. Hakuna anayeweza kupuuza hili kwa ajili ya kituo hiki, hata kama ridhaa yako nyingine inasema ndiyo.',
  meaning_deny_all:
    'Umekataa. Hakuna anayeweza kupuuza hili kwa ajili ya yeyote, hata kama ridhaa yako nyingine inasema ndiyo.',

  againstOwn: 'Pia umekataa sehemu ya hili, na hapana yako ina nguvu zaidi: {numbers}.',
  number: 'nambari {id}',
  againstRules: 'Kanuni ya ubadilishanaji inakataa sehemu ya hili. Ina nguvu kuliko ulichokubali.',
  ask: 'Ili kuibadilisha au kuiondoa, uliza {facility} na uwape nambari {id}.',
  askAny: 'Ili kuibadilisha au kuiondoa, uliza kituo kinachokutibu na uwape nambari {id}.',
}
