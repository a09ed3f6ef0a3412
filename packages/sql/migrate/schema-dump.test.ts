import { expect, it } from 'vitest'
import { silentLog } from '../../log/log.ts'
import { testDatabase } from '../../testkit/test-database.ts'
import { openDatabase } from '../database.ts'
import { schemaDump } from './schema-dump.ts'
import { sql } from '../sql.ts'

it('a dump shows tables, columns, types, defaults, constraints, indexes and partitions, and nothing of the system', async () => {
  await using server = await testDatabase()
  const database = await openDatabase({ url: server.url, log: silentLog })
  await database.run(sql`create schema clinic`)
  await database.run(sql`
    create table clinic.visit (
      id uuid primary key, at timestamptz not null, note varchar(20) default 'none',
      double int generated always as (1 + 1) stored, constraint note_short check (length(note) < 9))`)
  await database.run(sql`create index visit_at on clinic.visit (at desc) where note is not null`)
  await database.run(
    sql`create table clinic.log (day date not null, visit uuid references clinic.visit) partition by range (day)`,
  )
  await database.run(
    sql`create table clinic.log_2026 partition of clinic.log for values from ('2026-01-01') to ('2027-01-01')`,
  )
  expect(await schemaDump(database)).toBe(`\
table clinic.log partition by RANGE (day)
  day date not null
  visit uuid
  constraint log_visit_fkey FOREIGN KEY (visit) REFERENCES clinic.visit(id)

table clinic.log_2026 partition of clinic.log FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')
  day date not null
  visit uuid
  constraint log_visit_fkey FOREIGN KEY (visit) REFERENCES clinic.visit(id)

table clinic.visit
  id uuid not null
  at timestamp with time zone not null
  note character varying(20) default 'none'::character varying
  double integer generated as (1 + 1)
  constraint note_short CHECK ((length((note)::text) < 9))
  constraint visit_pkey PRIMARY KEY (id)
  CREATE INDEX visit_at ON clinic.visit USING btree (at DESC) WHERE (note IS NOT NULL)
`)
  await database.close()
})
