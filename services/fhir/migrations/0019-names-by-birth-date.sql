-- Keys that are made of names alone, by the birth date beside them: where a name is so common that not all who bear it are
-- looked at, those who were born on nearly the same day are asked for by this.
create index index_keys_of_names on fhir.index_keys (key, born) where key >= 'n|' and key < 'n}';
