import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type AppealTable, insertAll, statement } from '@reeve/db'
import { type Instance, openInstance } from '../../support/instance.ts'
import { DAY, openAppeals } from './fixture.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const COUNT = Number(process.env.REEVE_TEST_APPEALS ?? 6000)
const states = ['accepted', 'reduced', 'denied'] as const

const appealById = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.selectFrom('appeal').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const insertAppeal = statement<AppealTable>()((sql, p) => insertAll(sql, 'appeal', p))

test('statistics count every decision of the time, however many there are', async () => {
  const { workspaceId, ban, submit, viewer } = await openAppeals(instance)
  const { appealCode } = await ban()
  const { id } = (await submit(appealCode)).body.appeal
  const appeal = await instance.db.read.first(appealById, { workspaceId, id })
  if (!appeal) throw new Error('the appeal is missing')
  const now = instance.clock.now()
  const decided = Array.from({ length: COUNT }, (_, index) => ({
    state: states[index % states.length] ?? 'denied',
    decided_at: now - ((index * 7919) % (90 * DAY)),
    waited_ms: ((index * 7907) % 100_000) * 1000,
  }))
  // One millisecond too early.
  const all = [...decided, { state: 'accepted' as const, decided_at: now - 90 * DAY - 1, waited_ms: 0 }]
  for (let start = 0; start < all.length; start += 1000)
    await instance.db.write(async (tx) => {
      for (const columns of all.slice(start, start + 1000))
        await tx.run(insertAppeal, {
          ...appeal,
          ...columns,
          id: instance.ports.newId(),
          closed_at: columns.decided_at,
        })
    })
  const path = `/portal/api/appeals/statistics?workspaceId=${workspaceId}&days=90`
  const start = performance.now()
  const { body } = await instance.request('GET', path, { session: viewer.session })
  if (COUNT > 6000) process.stdout.write(`${COUNT} decisions: ${(performance.now() - start).toFixed(0)} ms\n`)
  const countOf = (state: string) => String(decided.filter((one) => one.state === state).length)
  const sorted = decided.map(({ waited_ms }) => waited_ms).sort((one, next) => one - next)
  const median = ((sorted[COUNT / 2 - 1] ?? 0) + (sorted[COUNT / 2] ?? 0)) / 2
  expect(body).toEqual({
    open: '1',
    decided: String(COUNT),
    accepted: countOf('accepted'),
    reduced: countOf('reduced'),
    denied: countOf('denied'),
    medianSeconds: String(Math.round(median / 1000)),
  })
}, 300_000)
