import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { addPlayerName } from '@reeve/db'
import { idLiteral } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { archiveWorkspace, createWorkspaceRequests, type Workspace } from '../workspaces/fixture.ts'
import { addNotes, listIds, type PlayerNote, readAllPages, searchPlayers } from './player-fixture.ts'

let instance: Instance
let workspace: Workspace

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  await addNotes(
    instance,
    workspace,
    ['1', 'xX_DarkKnight_Xx'],
    ['2', 'Zoë Bête'],
    ['3', 'JOSÉ Ñandú'],
    ['4', 'Łukasz Straße'],
    ['5', 'Ｗｉｄｅ Ελλάς'],
    ['6', '日本の鈴木'],
  )
})
afterAll(() => instance.close())

/** The ids of the players that a search in a workspace finds. */
const search = async (q: string, where: Pick<Workspace, 'id' | 'ownerSession'> = workspace) =>
  listIds(await readAllPages(instance, where, q))

/** A workspace with notes on players. */
async function createWorkspaceWith(...notes: readonly PlayerNote[]): Promise<Workspace> {
  const created = await instance.workspace()
  await addNotes(instance, created, ...notes)
  return created
}

describe('a player is found', () => {
  for (const [description, queries, userId] of [
    ['by any part of a name', ['knight', 'KKNI', '_dark', 'ht_x', 'xX_DarkKnight_Xx'], '1'],
    ['without the accents of the name', ['zoe', 'oe b', 'bete', 'ZOE BETE'], '2'],
    ['with accents that the name does not have', ['dárk', 'knïght'], '1'],
    ['with the same accents in another form', ['zo\u00eb', 'zoe\u0308', 'Bête'], '2'],
    ['in any case', ['josé', 'JOSE', 'ñAN', 'nandu'], '3'],
    ['by the plain form of other letters', ['lukasz', 'ŁUK', 'strasse', 'STRAẞE', 'straße'], '4'],
    [
      'by a compatibility form, and by a final sigma as well as by a capital one',
      ['wide', 'λλας', 'ΕΛΛΑΣ'],
      '5',
    ],
    [
      'whatever invisible characters were copied with the search',
      ['Dark\u200bKnight', '\ufeffxX_Dark', 'knight\u200e', 'kni\u00adght', '1\u200b'],
      '1',
    ],
    ['in a script without cases and spaces', ['日本', '本の鈴', '日本の鈴木'], '6'],
  ] as const) {
    test(description, async () => {
      for (const q of queries) expect([q, await search(q)]).toEqual([q, [userId]])
    })
  }

  test('by one or two characters only where a word starts', async () => {
    expect(await search('k')).toEqual([])
    expect(await search('d')).toEqual(['1'])
    expect(await search('b')).toEqual(['2'])
    expect(await search('st')).toEqual(['4'])
    expect(await search('tr')).toEqual([])
  })

  test('by a name with several spaces as it is shown, also if it was stored with all of them', async () => {
    const other = await createWorkspaceWith(['1', 'two  spaces'], ['2'])
    await instance.db.write((tx) =>
      addPlayerName(tx, { workspaceId: other.id, userId: '2', name: 'two   spaces' }),
    )
    for (const q of ['two spaces', 'two  spaces', 'o spa', 'two s', 'spaces'])
      expect([q, (await search(q, other)).sort()]).toEqual([q, ['1', '2']])
    const { body } = await searchPlayers(instance, other, { q: '1' })
    expect(body.players[0].userUsername).toBe('two spaces')
  })

  test('only if the characters are adjacent, whatever parts of them are in the name', async () => {
    const other = await createWorkspaceWith(['1', 'abcd-bcde-xabc'], ['2', 'zzabcdez'])
    expect(await search('abcde', other)).toEqual(['2'])
    expect(await search('\u0301', other)).toEqual([])
    expect(await search('a'.repeat(100), other)).toEqual([])
  })

  test('with the name that matched, once, by the best one', async () => {
    const other = await createWorkspaceWith(
      ['1', 'Old Robin'],
      ['1', 'robinson'],
      ['1', 'New'],
      ['2', 'Robin'],
    )
    const players = await readAllPages(instance, other, 'robin', '1')
    expect(
      players.map(({ userId, userUsername, matchedName }) => [userId, userUsername, matchedName]),
    ).toEqual([
      ['2', 'Robin', 'Robin'],
      ['1', 'New', 'robinson'],
    ])
    expect(players[1]?.otherNames).toEqual(['robinson', 'Old Robin'])
  })
})

test('players are ordered by how their names match, then the newest name first, on pages of any size', async () => {
  const other = await createWorkspaceWith(
    ['1', 'subrobin'],
    ['2', 'the robin'],
    ['3', 'robinson'],
    ['4', 'Robin'],
    ['5', 'unrobins'],
    ['6', 'red-robin'],
    ['7', 'Röbïnette'],
    ['8', 'rob'],
    ['robin', 'Somebody'],
  )
  for (const limit of ['1', '2', '3', '8', '50']) {
    const players = await readAllPages(instance, other, 'robin', limit)
    expect(listIds(players)).toEqual(['robin', '4', '7', '3', '6', '2', '5', '1'])
  }
})

describe('the names that find a player', () => {
  const edit = (record: { id: string }, userUsername: string, where: Workspace) =>
    createWorkspaceRequests(instance, where).moderate({ action: 'edit', id: record.id, userUsername })

  test('include a corrected name, and the old one while another record has it', async () => {
    const other = await instance.workspace()
    const { moderate } = createWorkspaceRequests(instance, other)
    const note = { action: 'note', userId: '7', reason: 'Seen', userUsername: 'Misspelled' }
    const [first, second] = [await moderate(note), await moderate(note)]
    await edit(first, 'Corrected', other)
    expect(await search('rrec', other)).toEqual(['7'])
    expect(await search('pelled', other)).toEqual(['7'])
    await edit(second, '', other)
    expect(await search('pelled', other)).toEqual([])
    await edit(second, 'Misspelled', other)
    expect(await search('pelled', other)).toEqual(['7'])
  })

  test('stay after a redaction, which removes texts but no names', async () => {
    const other = await instance.workspace()
    const { moderate } = createWorkspaceRequests(instance, other)
    const ban = await moderate({ action: 'ban', userId: '7', reason: 'Private', userUsername: 'Builder' })
    await moderate({ action: 'redact', id: ban.id, reason: 'Asked for' })
    expect(await search('uild', other)).toEqual(['7'])
  })

  test('are stored once, and are the newest 50 of a player with more', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `name${index}x`)
    const other = await createWorkspaceWith(
      ...names.map((name): PlayerNote => ['7', name]),
      ['7', 'name59x'],
      ['8', 'last'],
    )
    const rows = await instance.storage.query<{ rows: number }>(
      `select count(*) as "rows" from player_name where workspace_id = ${idLiteral(other.id)}`,
    )
    expect(Number(rows[0]?.rows)).toBe(51)
    expect(await search('me59x', other)).toEqual(['7'])
    expect(await search('me10x', other)).toEqual(['7'])
    expect(await search('me9x', other)).toEqual([])
    expect(await search('name', other)).toEqual(['7'])
  })

  test('are those of the records after a roll-back, and in a copy', async () => {
    const other = await createWorkspaceWith(['1', 'Robin'], ['2', 'Batman'])
    const { workspaces, moderate } = createWorkspaceRequests(instance, other)
    const session = { session: other.ownerSession }
    const archive = await archiveWorkspace(instance, other)
    await workspaces({ id: other.id, archive: false })
    await moderate({ action: 'note', userId: '3', reason: 'Seen', userUsername: 'Robinson' })
    expect(await search('obi', other)).toEqual(['1', '3'].reverse())
    const { body } = await workspaces({ fromArchive: archive.id }, session)
    const copy = { id: body.workspace.id as string, ownerSession: other.ownerSession }
    expect(await search('obi', copy)).toEqual(['1'])
    await archiveWorkspace(instance, other)
    expect((await workspaces({ id: other.id, fromArchive: archive.id }, session)).status).toBe(200)
    expect(await search('obi', other)).toEqual(['1'])
    expect(await search('atm', other)).toEqual(['2'])
    await moderate({ action: 'note', userId: '4', reason: 'Seen', userUsername: 'Robina' })
    expect(await search('obi', other)).toEqual(['4', '1'])
    expect(await search('obi', copy)).toEqual(['1'])
  })

  test('are those of one workspace', async () => {
    const other = await createWorkspaceWith(['1', 'Somebody'])
    expect(await search('knight', other)).toEqual([])
    expect(await search('x', other)).toEqual([])
    expect(await search('somebody')).toEqual([])
  })
})

test('a request compares at most about 1000 names, even if all of them have the parts of the search', async () => {
  const other = await createWorkspaceWith(['0', 'abcde'])
  await instance.db.write(async (tx) => {
    for (let player = 1; player <= 2500; player++) {
      await addPlayerName(tx, { workspaceId: other.id, userId: String(player), name: `abcd-bcde ${player}` })
    }
  })
  const pages: string[][] = []
  let cursor: string | null = null
  do {
    const query = { q: 'abcde', limit: '10', ...(cursor && { cursor }) }
    const { body } = await searchPlayers(instance, other, query)
    pages.push(listIds(body.players))
    cursor = body.nextCursor
  } while (cursor)
  expect(pages.flat()).toEqual(['0'])
  // Every name is compared twice: as one that may begin with the text, and as one that may contain it.
  expect(pages.length).toBe(6)
})
