-- A record number counts as it is written, and those that a family has in common say of nobody who they are (decision
-- 1043). Until now the index held all of them as record numbers and without what stands between the digits. A row is
-- written anew only when its Patient changes, so that most would never have been found by their number again. The
-- fingerprint stays that of before: with the next change the row is what patient-index/person.ts makes of it. Golden
-- records that wait for their first record stay as they are: how their numbers were written is nowhere to be read.
with written as materialized (
  select p.patient_id, i.place, i.identifier ->> 'system' as system, i.identifier ->> 'value' as value,
    lower(regexp_replace(i.identifier ->> 'value', '[^[:alnum:]]+', '', 'g')) as folded,
    -- As ports/patient-index/number-kinds.ts has them.
    case
      when jsonb_path_exists(i.identifier,
        '$.type.coding[*].code ? (@ like_regex "^(NI|NN[A-Z]{0,3}|SS|HC|JHN|NIIP)$")') then 'national'
      when jsonb_path_exists(i.identifier,
        '$.type.coding[*].code ? (@ like_regex "^(AN[CDT]?|BA|BC|GI|GN|MB|MC|NH|NII|SN)$")') then 'shared'
      else 'record'
    end as kind
  from fhir.index_people as p
  join fhir.resources as r on r.type = 'Patient' and r.id = p.patient_id and not r.deleted
  join fhir.versions as v on v.key = r.key and v.version = r.version
  cross join lateral jsonb_array_elements((v.content::json -> 'identifier')::jsonb)
    with ordinality as i (identifier, place)
  where not p.provisional and p.person not like '%"sharedIds":%'
    and i.identifier ->> 'use' is distinct from 'old'
    and i.identifier ->> 'system' is not null and i.identifier ->> 'value' is not null
), numbers as materialized (
  select patient_id, kind, min(place) as place,
    system || '|' || btrim(regexp_replace(value, '[[:cntrl:]]+', ' ', 'g')) as number
  from written
  where kind <> 'national' and value !~ '^[0[:space:][:punct:]]*$'
    -- The same number may be there once more without its type.
    and not exists (
      select from written as national
      where national.patient_id = written.patient_id and national.system = written.system
        and national.folded = written.folded and national.kind = 'national' and written.kind = 'record')
  group by patient_id, kind, number
), people as materialized (
  select p.patient_id, p.person::jsonb || jsonb_build_object(
      'recordIds', coalesce(jsonb_agg(n.number order by n.place) filter (where n.kind = 'record'), '[]'),
      'sharedIds', coalesce(jsonb_agg(n.number order by n.place) filter (where n.kind = 'shared'), '[]')) as person
  from fhir.index_people as p left join numbers as n on n.patient_id = p.patient_id
  where p.patient_id in (select patient_id from written)
  group by p.patient_id
), keys as materialized (
  select distinct patient_id, left('i|' || id, 200) as key
  from people
  cross join lateral jsonb_array_elements_text((person -> 'nationalIds') || (person -> 'recordIds')) as own (id)
), saved as (
  update fhir.index_people as p set person = people.person::text from people where people.patient_id = p.patient_id
), gone as (
  delete from fhir.index_keys as k using people
  where k.patient_id = people.patient_id and k.key like 'i|%'
    and not exists (select from keys where keys.patient_id = k.patient_id and keys.key = k.key)
)
insert into fhir.index_keys (key, patient_id) select key, patient_id from keys on conflict do nothing;
