-- Texts are compared without signs that nobody sees, and a sigma at the end of a word is one like the others (decision 1290,
-- packages/fhir/fold.ts). A row is written anew only when its resource changes, and until then whoever is called Νίκος would
-- not be found. What becomes shorter by it keeps its place; with the next change the row is what the program makes of it.
update fhir.strings set folded = regexp_replace(translate(folded, 'ς', 'σ'), '[\u00ad\u0640\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+', '', 'g')
where folded ~ '[ς\u00ad\u0640\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]';

update fhir.tokens set text = regexp_replace(translate(text, 'ς', 'σ'), '[\u00ad\u0640\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+', '', 'g')
where text ~ '[ς\u00ad\u0640\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]';

-- People are compared by the letters of their names; signs that are no letters stood for a space there, and do so until the
-- Patient is written again.
update fhir.index_people set
  person = jsonb_set(person::jsonb, '{names}', translate((person::jsonb -> 'names')::text, 'ςـ', 'σ')::jsonb)::text,
  name_parts = translate(name_parts::text, 'ςـ', 'σ')::text[]
where person ~ '[ς\u0640]';

with renamed as (
  delete from fhir.index_keys where key ~ '^[fn]\|' and key ~ '[ς\u0640]' returning key, patient_id, born
)
insert into fhir.index_keys (key, patient_id, born)
select translate(key, 'ςـ', 'σ'), patient_id, born from renamed on conflict do nothing;
