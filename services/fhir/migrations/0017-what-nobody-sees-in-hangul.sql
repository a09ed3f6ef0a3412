-- 0016 left out fewer signs than packages/fhir/fold.ts does: the fillers of Hangul, a Mongolian separator, tags and what else
-- Unicode calls ignorable. It left spaces beside each other where a sign stood alone, and Observation:code-value-string as it was.
-- A text that was cut at 500 characters may end in a space.
update fhir.strings set folded = case when length(tidy.text) < 250 then rtrim(tidy.text) else tidy.text end
from (
  select key, param, seq, ltrim(regexp_replace(regexp_replace(folded,
    '[\u115f\u1160\u180e\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+', '', 'g'), ' {2,}', ' ', 'g')) as text
  from fhir.strings
  where folded ~ '[\u115f\u1160\u180e\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]|^ | $|  '
) as tidy
where (strings.key, strings.param, strings.seq) = (tidy.key, tidy.param, tidy.seq);

update fhir.tokens set text = case when length(tidy.text) < 250 then rtrim(tidy.text) else tidy.text end
from (
  select key, param, seq, ltrim(regexp_replace(regexp_replace(text,
    '[\u115f\u1160\u180e\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+', '', 'g'), ' {2,}', ' ', 'g')) as text
  from fhir.tokens
  where text ~ '[\u115f\u1160\u180e\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]|^ | $|  '
) as tidy
where (tokens.key, tokens.param, tokens.seq) = (tidy.key, tidy.param, tidy.seq);

-- Of the columns of a component only a string has a text and no system (composite-cells.ts).
update fhir.composites set text_2 = case when length(tidy.text) < 250 then rtrim(tidy.text) else tidy.text end
from (
  select key, param, seq, ltrim(regexp_replace(regexp_replace(translate(text_2, 'ς', 'σ'),
    '[\u00ad\u0640\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+', '', 'g'), ' {2,}', ' ', 'g')) as text
  from fhir.composites
  where system_2 is null and text_2 ~ '[ς\u00ad\u0640\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]|^ | $|  '
) as tidy
where (composites.key, composites.param, composites.seq) = (tidy.key, tidy.param, tidy.seq);

-- Unicode takes the fillers for letters, so they are in the names of people. A name of nothing else is none.
update fhir.index_people set
  person = jsonb_set(person::jsonb, '{names}', (
    select coalesce(jsonb_agg(tidy.name order by tidy.place), '[]') from (
      select jsonb_build_object('family', family, 'given', given) as name, min(place) as place
      from jsonb_array_elements(person::jsonb -> 'names') with ordinality as names (name, place)
      cross join lateral (select
        btrim(regexp_replace(translate(name ->> 'family', U&'\115f\1160', ''), ' +', ' ', 'g')) as family,
        btrim(regexp_replace(translate(name ->> 'given', U&'\115f\1160', ''), ' +', ' ', 'g')) as given) as own
      where family || given <> '' group by family, given
    ) as tidy))::text
where person ~ '[\u115f\u1160]';

update fhir.index_people set name_parts = array(
  select part from (
    select kind || ' ' || word as part, min(place * 1000 + seq + case kind when 'given' then 500 else 0 end) as place
    from jsonb_array_elements(person::jsonb -> 'names') with ordinality as names (name, place)
    cross join lateral (values ('family', name ->> 'family'), ('given', name ->> 'given')) as kinds (kind, text)
    cross join lateral regexp_split_to_table(text, ' ') with ordinality as words (word, seq)
    group by 1
  ) as tidy order by place)
where name_parts::text ~ '[\u115f\u1160]';

-- A key has five letters of a name, and what 0016 took out of one, or a filler took up in one, leaves fewer. So keys of Arabic
-- and Korean names are made anew, as blocking-keys.ts and phonetic-key.ts make them, with the Latin parts that stand beside.
-- Each step has a row a person or a name, and looks up others by an index: what is joined without statistics could be gone
-- through for each of a million people.
with chosen as materialized (
  select patient_id from fhir.index_people where person ~ '[\u0621-\u064a\u1100-\u11ff]'
  union select patient_id from fhir.index_keys where key ~ '[\u115f\u1160]'
), parts as (
  select patient_id, birth, place, kind, seq, letters, letters ~ '^[a-z]+$' as is_latin
  from chosen join fhir.index_people using (patient_id)
  cross join lateral (select person::jsonb ->> 'birthDate' as birth) as born
  cross join lateral jsonb_array_elements(person::jsonb -> 'names') with ordinality as names (name, place)
  cross join lateral (values ('family', name ->> 'family'), ('given', name ->> 'given')) as kinds (kind, text)
  cross join lateral (select (string_to_array(text, ' '))[1:3] as words) as first_words
  cross join lateral (
    select letters, seq from unnest(words) with ordinality as one (letters, seq) where length(letters) > 1
    union all select array_to_string(words, ''), 4 where cardinality(words) > 1
  ) as own
), latin as (
  select *, case when is_latin then regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(letters,
      '^[kgp]n', 'n'), '^wr', 'r'), '^ps', 's'), 'ght', 't', 'g'), 'ph', 'f', 'g'), 'sch|tch|sh|ch|cz|sz|zh|dj|dg|tj', 'x', 'g'),
      'c(?=[eiy])', 's', 'g'), 'ck|kh|gh|qu?|c', 'k', 'g'), 'th|d', 't', 'g'), 'z', 's', 'g'), 'ou|oo|u', 'o', 'g'),
      '[wv]', 'f', 'g'), '[jg]', 'k', 'g'), '[yh]', '', 'g') end as sound
  from parts
), sounds as (
  select patient_id, birth, place, kind, seq, left(case
    when is_latin then regexp_replace(
      translate(left(sound, 1), 'eiou', 'aaaa') || regexp_replace(substr(sound, 2), '[aeiou]', '', 'g'), '(.)\1+', '\1', 'g')
    else left(letters, 1) || regexp_replace(substr(letters, 2), '[\u0627\u0648\u064a\u0649\u0629\u0647\u05d0\u05d5\u05d9]', '', 'g')
  end, 5) collate "C" as sound
  from latin
), said as (
  select patient_id, birth, place,
    array_agg(sound) filter (where kind = 'family' and sound <> '') as families,
    array_agg(sound order by seq) filter (where kind = 'given' and sound <> '') as givens
  from sounds group by patient_id, birth, place
), keys as materialized (
  select 'n|' || least(one, other) || '|' || greatest(one, other) as key, patient_id,
    case when length(birth) = 10 then birth end as born
  from said cross join lateral unnest(families) as one cross join lateral unnest(givens) as other
  union
  select 'f|' || sound || '|' || left(birth, 7), patient_id, null
  from said cross join lateral unnest(families || givens[1:1]) as sound
  where length(birth) >= 7
), wanted as (
  select patient_id, array_agg(key) filter (where key is not null) as keys
  from chosen left join keys using (patient_id) group by patient_id
), gone as (
  delete from fhir.index_keys as k using wanted
  where k.patient_id = wanted.patient_id and k.key ~ '^[fn]\|' and k.key <> all (coalesce(wanted.keys, '{}'))
)
insert into fhir.index_keys (key, patient_id, born) select key, patient_id, born from keys
where not exists (select from fhir.index_keys as same
  where same.key = keys.key and same.patient_id = keys.patient_id and same.born is not distinct from keys.born)
on conflict (key, patient_id) do update set born = excluded.born;
