import { describe, expect, test } from 'bun:test'
import { wire } from '@reeve/core'
import { fieldReader, inputField, nullableInput, requestObject } from '../src/index.ts'

const read = fieldReader(
  requestObject({
    id: inputField(wire.id),
    limit: inputField(wire.integer({ min: 1, max: 100, example: '20' })),
    color: nullableInput(wire.text({ max: 7, example: '#336699' })),
  }),
)
const id = '0198c0de-0000-7000-8000-000000000001'
const findProblem = (raw: Record<string, unknown>) => read(raw).problems[0]

describe('reading fields', () => {
  test('parses each with its codec; absent fields stay absent', () => {
    expect(read({ id, limit: '20' })).toEqual({ values: { id, limit: 20 }, problems: [] })
    expect(read({})).toEqual({ values: {}, problems: [] })
  })

  test('reports every invalid field and still returns the valid ones', () => {
    const { values, problems } = read({ id, limit: '101', color: 'a long color', other: '' })
    expect(values).toEqual({ id })
    expect(problems.map(({ field }) => field)).toEqual(['limit', 'color', 'other'])
  })

  test('accepts null for a nullable field only', () => {
    expect(read({ color: null })).toEqual({ values: { color: null }, problems: [] })
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

  test('truncates long names and reports at most 100 problems', () => {
    expect(findProblem({ ['x'.repeat(1000)]: '' })?.field).toHaveLength(128)
    const fields = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`field${index}`, '']))
    expect(read(fields).problems).toHaveLength(100)
  })

  test('passes on an error that is not about the value', () => {
    const failing = fieldReader(
      requestObject({
        id: inputField({
          ...wire.id,
          read: () => {
            throw new TypeError('a bug')
          },
        }),
      }),
    )
    expect(() => failing({ id })).toThrow('a bug')
  })
})
