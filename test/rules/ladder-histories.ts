import { expect } from 'bun:test'
import { DAY_MS } from '@reeve/core'
import fc from 'fast-check'
import { type Fields, type ModerationFixture, openModerationFixture } from '../contract/moderation/fixture.ts'
import type { Instance } from '../support/instance.ts'
import type { Property } from './property.ts'

const STEPS_PER_HISTORY = 24

interface Step {
  readonly count: number
  readonly action: string
  readonly durationSeconds: number | null
  readonly decayDays: number | null
}

interface Ladder {
  readonly id: string
  windowDays: number | null
  steps: readonly Step[]
}

/** A record as the test remembers it, without anything that Reeve has said about it but its id. */
interface Remembered {
  readonly id: string
  readonly userId: string
  readonly ladderId: string | null
  readonly createdAt: number
  readonly decaysAt: number
  isRevoked: boolean
}

const step = fc.record({
  action: fc.constantFrom('note', 'warn', 'kick', 'mute', 'ban'),
  duration: fc.option(fc.integer({ min: 1, max: 100 * 86_400 })),
  decayDays: fc.option(fc.integer({ min: 1, max: 20 })),
  gap: fc.integer({ min: 1, max: 3 }),
})
const steps = fc.array(step, { minLength: 1, maxLength: 5 }).map((items): Step[] => {
  let count = 1
  return items.map(({ action, duration, decayDays, gap }, index) => {
    if (index > 0) count += gap
    const durationSeconds = action === 'mute' || action === 'ban' ? duration : null
    return { count, action, durationSeconds, decayDays }
  })
})
const windowDays = fc.option(fc.integer({ min: 1, max: 40 }))

const operation = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('choose' as const), pick: fc.nat(), days: fc.nat(8) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('less' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('revoke' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('byHand' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('moveTemplate' as const), pick: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('editLadder' as const), pick: fc.nat(), windowDays, steps }),
  },
)
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

const toRequestSteps = (list: readonly Step[]) => JSON.stringify(list)

/** What the rules of `docs/api.md` say about the next record of a player, by counting one by one. */
function expectStep(ladder: Ladder, records: readonly Remembered[], userId: string, now: number) {
  const counted = records.filter(
    (record) =>
      record.userId === userId &&
      record.ladderId === ladder.id &&
      !record.isRevoked &&
      now < record.decaysAt &&
      (ladder.windowDays === null || now < record.createdAt + ladder.windowDays * DAY_MS),
  )
  let number = 0
  for (const { count } of ladder.steps) if (counted.length + 1 >= count) number += 1
  const applied = ladder.steps[number - 1]
  if (!applied) throw new Error('no step')
  return { number, applied, ids: counted.map(({ id }) => id) }
}

async function runHistory(
  instance: Instance,
  fixture: ModerationFixture,
  ladderInputs: readonly { readonly windowDays: number | null; readonly steps: readonly Step[] }[],
  history: readonly Operation[],
): Promise<number> {
  const send = async (path: string, body: Fields) => {
    const response = await instance.request('POST', `/api/moderation${path}?workspaceId=${fixture.id}`, {
      key: fixture.key,
      body,
    })
    if (response.status !== 200) throw new Error(`${path} ${JSON.stringify(body)}: ${response.text}`)
    return response.body
  }
  const ladders: Ladder[] = []
  for (const [index, input] of ladderInputs.entries()) {
    const body = { name: `Ladder ${index}`, ...input, steps: toRequestSteps(input.steps) }
    ladders.push({ id: (await send('/ladders', body)).ladder.id, ...input })
  }
  const templates: { id: string; ladder: Ladder }[] = []
  for (const [index, ladder] of [...ladders, ...ladders].entries()) {
    const body = { name: `Template ${index}`, publicReason: 'x', ladderId: ladder.id }
    templates.push({ id: (await send('/templates', body)).template.id, ladder })
  }
  const records: Remembered[] = []
  let decisions = 0
  const choose = <T>(items: readonly T[], pick: number): T => items[pick % items.length] as T

  async function actByTemplate(pick: number, isLess: boolean): Promise<void> {
    const userId = String(pick % 2)
    const template = choose(templates, pick >> 1)
    const now = instance.clock.now()
    const { number, applied, ids } = expectStep(template.ladder, records, userId, now)
    const query = new URLSearchParams({ workspaceId: fixture.id, userId, templateId: template.id })
    const { preview } = (
      await instance.request('GET', `/api/moderation/preview?${query}`, { key: fixture.key })
    ).body
    const decided = {
      step: String(number),
      action: applied.action,
      durationSeconds: applied.durationSeconds === null ? null : String(applied.durationSeconds),
    }
    expect(preview).toMatchObject({ ...decided, ladderId: template.ladder.id, count: String(ids.length) })
    expect(preview.records.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort())
    const fields = isLess ? { action: 'note', reason: 'Apologised' } : {}
    const { record } = await send('', { userId, templateId: template.id, ...fields })
    expect(record).toMatchObject(isLess ? { step: decided.step, action: 'note' } : decided)
    const decaysAt = applied.decayDays === null ? Number.POSITIVE_INFINITY : now + applied.decayDays * DAY_MS
    records.push({
      id: record.id,
      userId,
      ladderId: template.ladder.id,
      createdAt: now,
      decaysAt,
      isRevoked: false,
    })
    decisions += 1
  }

  for (const operation of history) {
    const { pick } = operation
    if (operation.kind === 'choose' || operation.kind === 'less')
      await actByTemplate(pick, operation.kind === 'less')
    if (operation.kind === 'choose') instance.clock.advance(operation.days * DAY_MS)
    const live = records.filter(({ isRevoked }) => !isRevoked)
    if (operation.kind === 'revoke' && live.length > 0) {
      const record = choose(live, pick)
      await send('', { action: 'revoke', id: record.id, reason: 'Mistake' })
      record.isRevoked = true
    }
    if (operation.kind === 'byHand')
      await send('', { action: 'warn', userId: String(pick % 2), reason: 'Without a template' })
    if (operation.kind === 'moveTemplate') {
      const template = choose(templates, pick)
      template.ladder = choose(ladders, pick >> 2)
      await send('/templates', { action: 'update', id: template.id, ladderId: template.ladder.id })
    }
    if (operation.kind === 'editLadder') {
      const ladder = choose(ladders, pick)
      Object.assign(ladder, { windowDays: operation.windowDays, steps: operation.steps })
      await send('/ladders', {
        action: 'update',
        id: ladder.id,
        windowDays: operation.windowDays,
        steps: toRequestSteps(operation.steps),
      })
    }
  }
  return decisions
}

/** After any history, the preview is what the rules say, and acting does what the preview said. */
export const ladderHistories: Property = {
  name: 'the preview of a ladder is what the rules say and what the action does, after any history',
  async check(instance, parameters) {
    let decisions = 0
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(fc.record({ windowDays, steps }), fc.record({ windowDays, steps })),
        fc.array(operation, { minLength: STEPS_PER_HISTORY, maxLength: STEPS_PER_HISTORY }),
        async (ladders, history) => {
          const fixture = await openModerationFixture(instance)
          decisions += await runHistory(instance, fixture, ladders, history)
        },
      ),
      parameters,
    )
    return { decisions }
  },
}
