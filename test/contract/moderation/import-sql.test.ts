import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createImportRequests, NOW } from './import-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
})
afterAll(() => instance.close())

const { importFile, importText, listRecords, findRecord } = createImportRequests(() => instance)

/** What each dump of three bans says, as its database would return it. */
const DUMPS = {
  'litebans-postgres.sql': ['Cheat in C:\\', "It's \\n, not a line", 'Spécial \\ !'],
  'litebans-sqlite.sql': ['Cheat in C:\\', "It's on\ntwo lines; C:\\", 'On\ntwo lines \\ 😀'],
  'litebans-h2.sql': ['Cheat in C:\\', "Spécial's \\ 😀", 'On\ntwo lines é \\ "it\'s"'],
}

describe('a dump', () => {
  for (const [file, reasons] of Object.entries(DUMPS))
    test(`arrives with every text as the database had it: ${file}`, async () => {
      const { workspace, result, entries } = await importFile('litebans', file)
      expect(entries).toEqual([])
      expect(result).toMatchObject({ state: 'succeeded', created: '3', unreadable: '0' })
      const records = await listRecords(workspace)
      expect(records.map(({ reason }: { reason: string }) => reason)).toEqual(reasons)
    })

  test('of PostgreSQL keeps escapes in texts that begin with E, and of H2 its times', async () => {
    const postgres = await importFile('litebans', 'litebans-postgres.sql')
    expect(await findRecord(postgres.workspace, 'bans:2')).toMatchObject({
      status: 'revoked',
      revokedByUsername: 'jeb_',
      revokeReason: "Appeal \\ 'accepted'\né",
    })
    const h2 = await importFile('litebans', 'litebans-h2.sql')
    expect(await findRecord(h2.workspace, 'bans:2')).toMatchObject({
      status: 'revoked',
      revokedAt: '2026-01-10T12:30:00.000Z',
    })
  })

  const COLUMNS = '(id, uuid, reason, banned_by_name, time, until, active)'
  const row = (id: number, reason: string) =>
    `(${id},'069a79f4-44e9-4726-a5be-fca90e38aaf5',${reason},'Console',1767600000000,-1,1)`
  const readReasons = async (dump: string) => {
    const { workspace, entries } = await importText('litebans', 'dump.sql', dump, { conflicts: 'supersede' })
    expect(entries.filter(({ outcome }) => outcome === 'unreadable')).toEqual([])
    const records = await listRecords(workspace)
    return records.map(({ reason }: { reason: string }) => reason)
  }

  test('says how it writes backslashes with what is before its rows', async () => {
    const insert = `INSERT INTO litebans_bans ${COLUMNS} VALUES`
    const standard = `${insert} ${row(1, "'C:\\'")},\n${row(2, "'a\\nb'")};`
    const escaped = `${insert} ${row(1, "'it\\'s'")},\n${row(2, "'a\\nb'")};`
    for (const sign of [
      'SET standard_conforming_strings = on;',
      "SET sql_mode = 'NO_BACKSLASH_ESCAPES';",
      '/*!40101 SET NAMES utf8 */;\n/*!40101 SET SQL_MODE="NO_BACKSLASH_ESCAPES" */;',
      'PRAGMA foreign_keys=OFF;',
      '-- H2 1.4.197;',
      'CREATE TABLE "x" ("y" int);',
    ])
      expect([sign, await readReasons(`${sign}\n${standard}`)]).toEqual([sign, ['C:\\', 'a\\nb']])
    for (const sign of [
      '',
      '-- MySQL dump 10.13',
      '-- Adminer 4.8.1 MySQL 8.0.36 dump',
      'CREATE TABLE `x` (`y` int);',
      'SET standard_conforming_strings = off;',
      // What is unknown is skipped to its end, also with a text that ends in an escaped backslash.
      "-- MySQL dump 10.13\nCALL x('C:\\\\', ';');",
    ])
      expect([sign, await readReasons(`${sign}\n${escaped}`)]).toEqual([sign, ["it's", 'a\nb']])
  })

  test('names the line of a value that it cannot read, such as the call of another function', async () => {
    const insert = `INSERT INTO litebans_bans ${COLUMNS} VALUES`
    const dump = `${insert}\n${row(1, "load_file('x')")},\n${row(2, "'ok'")},\n${row(3, 'char(99999999)')};`
    const { result, entries } = await importText('litebans', 'dump.sql', dump)
    expect(result).toMatchObject({ created: '1', unreadable: '2' })
    expect(entries.map(({ line, message }) => `${line} ${message}`)).toEqual([
      "2 the row of litebans_bans cannot be read: \"load_file('x'),'Cons\" is not a value",
      '4 the row of litebans_bans cannot be read: "99999999" is not a character',
    ])
  })
})
