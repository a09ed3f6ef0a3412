import type { Client } from 'pg'

/** What PostgreSQL says (SQLSTATE 53100) when a file cannot grow, said by these tables instead of the disk. */
export async function takeRoom(client: Client, tables: readonly string[]): Promise<void> {
  await client.query(`
    create or replace function public.no_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
  for (const table of tables) {
    await client.query(
      `create trigger no_room before insert on ${table} for each statement execute function public.no_room()`,
    )
  }
}

export async function giveRoom(client: Client, tables: readonly string[]): Promise<void> {
  for (const table of tables) await client.query(`drop trigger no_room on ${table}`)
}
