import { describe, expect, test } from 'bun:test'
import { type Actor, AppError, anonymousActor, parseIfMatch } from '@reeve/core'
import fc from 'fast-check'
import {
  type Action,
  actionFields,
  actionNames,
  actions,
  getActionFields,
  resolveAction,
} from '../src/records/actions.ts'
import { evidenceLines } from '../src/records/codecs.ts'
import { parseChange } from '../src/records/parse-change.ts'
import type { ModerationInput, ModerationQueryInput } from '../src/records/requests.ts'

const recordId = '0198c0de-0000-7000-8000-000000000001'

/** Fields as `requestReader` returns them. */
const values: Required<Pick<ModerationInput, (typeof actionFields)[number]>> = {
  userId: ['261'],
  userUsername: 'Builderman',
  reason: 'Exploiting',
  severity: 'low',
  durationSeconds: 60,
  evidence: ['https://example.com/clip'],
  evidenceFiles: [recordId],
  id: recordId,
  value: '60',
  templateId: recordId,
  replaces: recordId,
}
const apiKey: Pick<Actor, 'kind'> = { ...anonymousActor, kind: 'api_key' }
const account: Pick<Actor, 'kind'> = { ...anonymousActor, kind: 'account' }
const parse = (body: ModerationInput, query: ModerationQueryInput = {}, actor = apiKey, ifMatch = null) =>
  parseChange(actor, query, body, ifMatch)

/** The problems that a request is rejected for, as `field message`. */
function problems(run: () => unknown): string[] {
  try {
    run()
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return (error.options.details ?? []).map(({ field, message }) => `${field} ${message}`)
  }
}

describe('a change', () => {
  test('contains every field of the request, or the request is rejected for those that its action does not use', () => {
    fc.assert(
      fc.property(fc.constantFrom(...actionNames), fc.subarray([...actionFields]), (action, fields) => {
        const body = Object.fromEntries(fields.map((field) => [field, values[field]])) as ModerationInput
        const unused = fields.filter((field) => !getActionFields(resolveAction(action)).has(field))
        try {
          const change = parse({ ...body, action })
          expect(unused).toEqual([])
          for (const field of fields) expect(change).toHaveProperty(field)
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          const reportedFields = (error.options.details ?? []).map(({ field }) => field)
          for (const field of unused) expect(reportedFields).toContain(field)
        }
      }),
    )
  })

  test('has every required field of its action, and names those that are missing', () => {
    for (const action of Object.keys(actions) as Action[]) {
      const { required } = actions[action]
      for (const absent of required) {
        const rest = required.filter((field) => field !== absent).map((field) => [field, values[field]])
        expect(problems(() => parse({ action, ...Object.fromEntries(rest) }))).toContain(
          `${absent} is required`,
        )
      }
    }
  })

  test('has one player, the action behind an alias, and the severity and player of the query', () => {
    expect(
      parse({ action: 'temp_ban', reason: 'x', durationSeconds: 60 }, { userId: ['1'], severity: 'high' }),
    ).toEqual({
      action: 'ban',
      userId: '1',
      reason: 'x',
      severity: 'high',
      durationSeconds: 60,
      ifMatch: null,
    })
    expect(problems(() => parse({ action: 'kick', reason: 'x', userId: ['1', '2'] }))).toEqual([
      'userId must name one player in a write',
    ])
  })

  test('reads `value` in the format of its action', () => {
    const read = (action: Action, value: string) => parse({ action, id: recordId, value })
    expect(read('extend', '-60')).toHaveProperty('value', -60)
    expect(read('comment', 'Seen again.')).toHaveProperty('value', 'Seen again.')
    expect(read('evidence', 'a\n\nb')).toHaveProperty('value', ['a', 'b'])
    expect(problems(() => read('extend', 'soon'))).toEqual([expect.stringMatching(/^value must be/)])
  })

  test('that lifts a sanction names it by player, by id, or by both', () => {
    expect(problems(() => parse({ action: 'unban' }))).toEqual(['userId is required unless id is given'])
    expect(parse({ action: 'unmute', id: recordId })).toEqual({
      action: 'unmute',
      id: recordId,
      ifMatch: null,
    })
    expect(parse({ action: 'pardon', userId: ['1'], id: recordId })).toEqual({
      action: 'unban',
      userId: '1',
      id: recordId,
      ifMatch: null,
    })
  })

  test('agrees with the duration that its alias states', () => {
    const ban = { userId: ['1'], reason: 'x' }
    for (const durationSeconds of [undefined, null]) {
      const body = { ...ban, ...(durationSeconds === null && { durationSeconds }) }
      expect(problems(() => parse({ action: 'temp_ban', ...body }))).toEqual([
        'durationSeconds is required for temp_ban and cannot be permanent',
      ])
      expect(problems(() => parse({ action: 'perm_ban', ...body }))).toEqual([])
    }
    expect(problems(() => parse({ action: 'perm_ban', ...ban, durationSeconds: 60 }))).toEqual([
      'durationSeconds cannot be set for perm_ban, which is permanent',
    ])
  })

  test('that edits changes at least one field, and does not empty the reason', () => {
    expect(problems(() => parse({ action: 'edit', id: recordId }))).toEqual([
      'action edit needs one of userUsername, severity, evidence, durationSeconds, reason',
    ])
    expect(problems(() => parse({ action: 'edit', id: recordId, reason: '' }))).toEqual([
      'reason must not be empty',
    ])
  })

  test('names a person to act for only if an API key makes it', () => {
    const body: ModerationInput = { action: 'note', userId: ['1'], reason: 'x', actorUsername: 'Robin' }
    expect(parse(body)).toHaveProperty('actorUsername', 'Robin')
    expect(problems(() => parse(body, {}, account))).toEqual(['actorUsername can only be set by API keys'])
  })

  test('has no read filter and no list, and If-Match only where it changes a record', () => {
    const note: ModerationInput = { action: 'note', userId: ['1'], reason: 'x' }
    expect(problems(() => parse(note, { banList: true, status: ['active'] }))).toEqual([
      'banList requests a read, but action requests a write',
      'status is only used by reads',
    ])
    const ifMatch = parseIfMatch('"3"')
    expect(problems(() => parseChange(apiKey, {}, note, ifMatch))).toEqual([
      'If-Match applies only to a change of one record that has a version, which this request is not',
    ])
    expect(parseChange(apiKey, {}, { action: 'acknowledge', id: recordId }, ifMatch)).toEqual({
      action: 'acknowledge',
      id: recordId,
      ifMatch,
    })
  })

  test('without an action is rejected with the names of all actions', () => {
    expect(problems(() => parse({ userId: ['1'] }))).toEqual([
      `action is required without templateId: one of ${actionNames.join(', ')}`,
    ])
  })
})

describe('evidence', () => {
  test('is read as it was written', () => {
    const item = fc.stringMatching(/^[A-Za-z0-9:/?&=.]{1,60}$/)
    fc.assert(
      fc.property(fc.array(item, { maxLength: 10 }), (items) => {
        expect(evidenceLines.read(evidenceLines.write(items))).toEqual(items)
      }),
    )
  })

  test('is at most ten lines of two thousand characters', () => {
    const line = '😀'.repeat(2000)
    expect(evidenceLines.read(`\r\n${Array(10).fill(line).join('\r\n')}\r\n`)).toHaveLength(10)
    expect(() => evidenceLines.read(Array(11).fill('x').join('\n'))).toThrow('at most 10 lines')
    expect(() => evidenceLines.read(`${line}x`)).toThrow('at most 2000 characters')
  })
})
