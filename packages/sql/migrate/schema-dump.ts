import type { Queryable } from '../queryable.ts'
import { sql } from '../sql.ts'

/**
 * The schema as text, the same on every machine and PostgreSQL version: what a reader of a change sees, and what a
 * test compares with the file that is checked in.
 */
export async function schemaDump(database: Queryable): Promise<string> {
  const tables = await database.many<Table>(tablesOfOurs)
  return tables.map(tableText).join('\n')
}

interface Table {
  readonly name: string
  readonly kind: string
  readonly partitioning: string | null
  readonly columns: readonly string[]
  readonly constraints: readonly string[]
  readonly indexes: readonly string[]
}

function tableText({ name, kind, partitioning, columns, constraints, indexes }: Table): string {
  const heading = `${kind} ${name}${partitioning === null ? '' : ` ${partitioning}`}`
  return [heading, ...[...columns, ...constraints, ...indexes].map((line) => `  ${line}`), ''].join('\n')
}

/**
 * Indexes that belong to a constraint are left out, and so are "not null" constraints, which only PostgreSQL 18 counts
 * among the constraints: the constraint and the column say the same.
 */
const tablesOfOurs = sql`
  select format('%I.%I', space.nspname, class.relname) as name,
         case class.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
                            else 'table' end as kind,
         case when class.relkind = 'p' then 'partition by ' || pg_get_partkeydef(class.oid)
              when class.relispartition then format('partition of %s %s',
                (select format('%I.%I', parent_space.nspname, parent.relname)
                   from pg_inherits
                   join pg_class as parent on parent.oid = inhparent
                   join pg_namespace as parent_space on parent_space.oid = parent.relnamespace
                  where inhrelid = class.oid),
                pg_get_expr(class.relpartbound, class.oid)) end as partitioning,
         array(select concat_ws(' ', format('%I', attname), format_type(atttypid, atttypmod),
                                case when attnotnull then 'not null' end,
                                case when attidentity <> '' then 'identity' end,
                                case when attgenerated <> '' then 'generated as ' || pg_get_expr(adbin, adrelid)
                                     else 'default ' || pg_get_expr(adbin, adrelid) end)
                 from pg_attribute
                 left join pg_attrdef on adrelid = attrelid and adnum = attnum
                where attrelid = class.oid and attnum > 0 and not attisdropped and class.relkind <> 'S'
                order by attnum) as columns,
         array(select format('constraint %I %s', conname, pg_get_constraintdef(oid))
                 from pg_constraint
                where conrelid = class.oid and contype <> 'n'
                order by contype, conname) as constraints,
         array(select pg_get_indexdef(indexrelid)
                 from pg_index
                 join pg_class as index_class on index_class.oid = indexrelid
                where indrelid = class.oid
                  and not exists (select from pg_constraint where conindid = indexrelid and conrelid = class.oid)
                order by index_class.relname) as indexes
    from pg_class as class
    join pg_namespace as space on space.oid = class.relnamespace
   where class.relkind in ('r', 'p', 'v', 'm', 'S')
     and space.nspname not in ('pg_catalog', 'information_schema') and space.nspname not like 'pg\\_toast%'
   order by space.nspname collate "C", class.relname collate "C"`
