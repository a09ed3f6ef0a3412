-- For whoever looks for duplicates in a long log: they are few, and no other index finds them.
create index transactions_duplicates on bridge.transactions (id) where status = 'DUPLICATE';
