-- Summaries are copies of what the store has, and go when nobody may be shown them any more; cards, and alerts that
-- somebody has acknowledged, go with the transaction log. Those alerts have an index by time already.
create index patient_summaries_by_time on bridge.patient_summaries (built_at);
create index cds_cards_by_time on bridge.cds_cards (created_at);
