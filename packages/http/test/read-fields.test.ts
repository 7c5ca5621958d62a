import { describe, expect, test } from 'bun:test'
import { wire } from '@reeve/core'
import { inputField, nullableInput, requestObject, requestReader } from '../src/index.ts'

const schema = requestObject({
  id: inputField(wire.id),
  limit: inputField(wire.integer({ min: 1, max: 100, example: '20' })),
  color: nullableInput(wire.text({ max: 7, example: '#336699' })),
})
const id = '0198c0de-0000-7000-8000-000000000001'
const read = requestReader({ query: schema, body: schema })
const readBody = (raw: Record<string, unknown>) => read({}, raw)
const findProblem = (raw: Record<string, unknown>) => readBody(raw).problems[0]

describe('reading fields', () => {
  test('parses each with its codec; absent fields stay absent', () => {
    expect(read({ limit: '20' }, { id })).toEqual({ query: { limit: 20 }, body: { id }, problems: [] })
    expect(read({}, {})).toEqual({ query: {}, body: {}, problems: [] })
  })

  test('reports every invalid field, those of the query first, and still returns the valid ones', () => {
    const { query, body, problems } = read({ id, other: '' }, { id, limit: '101', color: 'a long color' })
    expect([query.id, body.id]).toEqual([id, id])
    expect(problems.map(({ field }) => field)).toEqual(['other', 'limit', 'color'])
  })

  test('marks an invalid field as present without a value', () => {
    const { body } = readBody({ limit: '101' })
    expect(Object.entries(body)).toEqual([['limit', undefined]])
  })

  test('accepts null for a nullable field only', () => {
    expect(readBody({ color: null })).toEqual({ query: {}, body: { color: null }, problems: [] })
    expect(findProblem({ limit: null })).toEqual({ field: 'limit', message: 'must not be null' })
  })

  test('rejects values that are not strings', () => {
    for (const value of [{}, [], undefined])
      expect(findProblem({ id: value })).toEqual({ field: 'id', message: 'must be a string' })
    expect(findProblem({ limit: 1.5 })?.message).toStartWith('must be a string, or a whole number')
  })

  test('suggests the known name for a misspelled one', () => {
    expect(findProblem({ limt: '1' })).toEqual({
      field: 'limt',
      message: 'is not a field of this request; did you mean limit?',
    })
    expect(findProblem({ workspace: '1' })?.message).toBe('is not a field of this request')
  })

  test('rejects the names of inherited properties', () => {
    for (const name of ['toString', 'constructor', 'hasOwnProperty'])
      expect(findProblem({ [name]: 'x' })?.field).toBe(name)
  })

  test('rejects every body field of a route without a body, and passes an undescribed query through', () => {
    const { query, problems } = requestReader({})({ anything: '1' }, { id })
    expect([query, problems.map(({ field }) => field)]).toEqual([{ anything: '1' }, ['id']])
  })

  test('truncates long names and reports at most 100 problems, but parses known fields beyond them', () => {
    expect(findProblem({ ['x'.repeat(1000)]: '' })?.field).toHaveLength(128)
    const unknown = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`field${index}`, '']))
    const { body, problems } = readBody({ ...unknown, id })
    expect(problems).toHaveLength(100)
    expect(body.id).toBe(id)
  })

  test('passes on an error that is not about the value', () => {
    const failing = requestReader({
      body: requestObject({
        id: inputField({
          ...wire.id,
          read: () => {
            throw new TypeError('a bug')
          },
        }),
      }),
    })
    expect(() => failing({}, { id })).toThrow('a bug')
  })
})
