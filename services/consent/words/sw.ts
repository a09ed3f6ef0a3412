import type { Messages } from './messages.ts'

export const sw: Messages = {
  title: 'Ridhaa zako',
  lead: 'Nani anaruhusiwa kuona rekodi yako ya afya, na nani haruhusiwi. Pale ambapo hujasema lolote, kinachoshirikiwa ni kile tu ambacho kanuni za ubadilishanaji zinaruhusu kwa wote; kukataa kwako daima kuna nguvu kuliko kukubali.',
  noneTitle: 'Bado hujakubali chochote, wala hujakataa chochote',
  noneText: 'Zungumza na kituo kinachokutibu: wanaweza kuandika unachotaka kushiriki.',
  noRecordTitle: 'Akaunti hii haina rekodi yake yenyewe ya afya',
  noRecordText:
    'Wagonjwa huona hapa ridhaa zao wenyewe. Yaliyoandikwa kwa ajili ya mtu unayemwakilisha, kituo kinachomtibu kinaweza kukuambia.',

  recorded: 'Imerekodiwa {date}',

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
  moreKinds: { one: 'aina nyingine {count}', other: 'aina nyingine {count}' },

  purposeAny_permit: 'kwa lengo lolote',
  purposeAny_deny: 'kwa lengo lolote',
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

  meaning_over: 'Hii haitumiki tena. Inahifadhiwa ili kila mtu aweze kuona ni nini kilitumika na lini.',
  meaning_waiting_permit: 'Umekubali hili. Litaanza kutumika siku yake ya kwanza.',
  meaning_waiting_deny: 'Umekataa hili. Kukataa kwako kutaanza kutumika siku yake ya kwanza.',
  meaning_permit: 'Umekubali hili. Taarifa zinaweza kutumika tu kwa yaliyotajwa hapa, na kila ombi linarekodiwa.',
  meaning_deny_one:
    'Umekataa. Hakuna anayeweza kupuuza hili kwa ajili ya kituo hiki, hata kama ridhaa yako nyingine inasema ndiyo.',
  meaning_deny_all:
    'Umekataa. Hakuna anayeweza kupuuza hili kwa ajili ya yeyote, hata kama ridhaa yako nyingine inasema ndiyo.',

  againstOwn: 'Pia umekataa sehemu ya hili, na kukataa kwako kuna nguvu zaidi: {numbers}.',
  number: 'namba {id}',
  againstRules: 'Kanuni ya ubadilishanaji inakataa sehemu ya hili. Ina nguvu kuliko ulichokubali.',
  ask: 'Ili kuibadilisha au kuiondoa, wasiliana na {facility} na uwape namba {id}.',
  askAny: 'Ili kuibadilisha au kuiondoa, wasiliana na kituo kinachokutibu na uwape namba {id}.',
}
