import { describe, expect, test } from 'bun:test'
import { parseJsonBody } from '../src/body.ts'
import { takeLongTexts } from '../src/long-texts.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const parse = (json: string) => ({ ...parseJsonBody(encode(json), 'application/json').fields })
const LONG = 'iVBORw0KGgo='.repeat(10_000)

describe('long texts of a body', () => {
  test('are the same as from a JSON parser, wherever they are and whatever is in them', () => {
    const texts = [
      LONG,
      `${LONG}\n${LONG}`,
      `${LONG}"${LONG}`,
      `${LONG}\\`,
      `${LONG}ü`,
      `${LONG}😀`,
      ` ${LONG}`,
      '"'.repeat(70_000),
      '\\'.repeat(70_000),
    ]
    const bodies = [
      ...texts.map((text) => ({ before: 'a"b\\', text, after: 'x' })),
      { first: LONG, second: `${LONG}2`, short: 'x' },
      { [LONG]: 'name' },
      { list: [LONG, 'x'] },
    ]
    for (const body of bodies) {
      for (const indent of [0, 2]) expect(parse(JSON.stringify(body, null, indent))).toEqual(body)
    }
  })

  test('in a nested object are no fields', () => {
    expect(parse(JSON.stringify({ nested: { text: LONG } }))).toEqual({ nested: {} })
  })

  test('do not hide that a body is invalid', () => {
    const invalid = [
      `{"a": "${LONG}"`,
      `{"a": "${LONG}" "b"}`,
      `{"a": "${LONG}`,
      `{"a" "${LONG}"}`,
      `{"a": "${LONG}\n"}`,
      `{"a": "${LONG}", "a": "x"}`,
      `{${Array.from({ length: 65 }, (_, index) => `"${index}": "x"`)}, "a": "${LONG}"}`,
      `{"a": [${Array.from({ length: 3000 }, () => '"x"')}], "b": "${LONG}"}`,
    ]
    for (const json of invalid) expect(() => parse(json)).toThrow()
    expect(() =>
      parseJsonBody(new Uint8Array([...encode(`{"a": "${LONG}`), 0xff, ...encode('"}')]), 'application/json'),
    ).toThrow()
  })

  test('are not decoded and parsed with the rest', () => {
    const { bytes } = takeLongTexts(encode(JSON.stringify({ title: 'x', imageDataUrl: LONG })))
    expect(bytes.length).toBeLessThan(200)
    const escaped = encode(JSON.stringify({ text: `${LONG}\n` }))
    expect(takeLongTexts(escaped).bytes).toBe(escaped)
  })
})
