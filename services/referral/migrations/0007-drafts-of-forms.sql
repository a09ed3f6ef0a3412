-- Which draft a form has made, and by whom: a form that is sent once more, by going back or by an impatient hand, makes no
-- second one.
create table referral.kept_forms (
  kept_by text not null,
  form uuid not null,
  referral_id bigint not null,
  primary key (kept_by, form)
);
