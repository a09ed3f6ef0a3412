import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { templateDatabase, testDatabase } from './test-database.ts'

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

describe('a test database', () => {
  it('is empty and shared with nobody', async () => {
    await using first = await testDatabase()
    await using second = await testDatabase()
    await query(first.url, 'create table here (id int)')
    expect(await query(first.url, `select to_regclass('here') as found`)).toEqual([{ found: 'here' }])
    expect(await query(second.url, `select to_regclass('here') as found`)).toEqual([{ found: null }])
  })

  it('is gone when it was dropped, even while somebody is connected', async () => {
    const database = await testDatabase()
    const left = new Client({ connectionString: database.url })
    left.on('error', () => {})
    await left.connect()
    await database.drop()
    await expect(query(database.url, 'select 1')).rejects.toMatchObject({ code: '3D000' })
  })

  it('belongs to the user that connects to it, as in production', async () => {
    await using database = await testDatabase()
    const owners = await query(
      database.url,
      'select pg_get_userbyid(datdba) = current_user as mine from pg_database where datname = current_database()',
    )
    expect(owners).toEqual([{ mine: true }])
  })
})

describe('a template', () => {
  it('is prepared once, however many ask for it at once, and copied with what it holds', async () => {
    let prepared = 0
    const prepare = async (url: string) => {
      prepared += 1
      await query(url, 'create table kept (id int); insert into kept values (7)')
    }
    const templates = await Promise.all([1, 2, 3].map(() => templateDatabase('kept', prepare)))
    expect(prepared).toBe(1)
    const databases = await Promise.all(templates.map((template) => testDatabase({ template })))
    for (const database of databases) {
      expect(await query(database.url, 'select id from kept')).toEqual([{ id: 7 }])
      await database.drop()
    }
  })

  it('is prepared again after a preparation that failed', async () => {
    const failing = templateDatabase('retried', async (url) => {
      await query(url, 'create table half (id int)')
      throw new Error('the migration is wrong')
    })
    await expect(failing).rejects.toThrow('the migration is wrong')
    const template = await templateDatabase('retried', async (url) => {
      await query(url, 'create table whole (id int)')
    })
    await using database = await testDatabase({ template })
    expect(await query(database.url, `select to_regclass('half') as half, to_regclass('whole') as whole`)).toEqual([
      { half: null, whole: 'whole' },
    ])
  })
})
