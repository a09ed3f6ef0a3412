-- The keys that sign health cards and certificates. A card is checked for years, so the public half of a key stays; the
-- private half is erased once another key signs.
create table immunization.signing_keys (
  number integer primary key,
  -- The thumbprint of the public key (RFC 7638).
  kid text not null unique,
  public_key jsonb not null,
  -- A private JWK, sealed when the operator has set a secret for it.
  private_key text,
  -- The X.509 certificate of the public key, DER: a signed certificate carries it.
  certificate bytea not null,
  -- Before, it is only published.
  current_from timestamptz not null,
  -- A stolen key: what it has signed is refused from then on.
  withdrawn_at timestamptz
);
