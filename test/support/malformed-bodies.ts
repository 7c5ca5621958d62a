import fc from 'fast-check'

/** A request body, and what is wrong with it for the message of a failed test. */
export interface MalformedBody {
  readonly kind: string
  readonly bytes: Uint8Array
}

const utf8 = new TextEncoder()

/** Known and unknown field names, and names that every object has. */
const name = fc.oneof(
  fc.constantFrom(
    ...[
      'workspaceId',
      'id',
      'action',
      'name',
      'color',
      'description',
      'userId',
      'reason',
      'severity',
      'value',
    ],
    ...['durationSeconds', 'evidence', 'title', 'scheduledFor', 'published', 'imageDataUrl', 'imageUrl'],
    ...['image_url', 'trainingStart', 'trainingEnd', 'roleId', 'permissions', 'archive', 'fromArchive'],
    ...['groupName', 'eventType', 'actorPlatformUserId'],
  ),
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', 'workspaceid'),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

/** JSON values of every type, with edge cases. */
const value = fc.oneof(
  fc.constantFrom(
    ...['1e400', '-1e400', '-0', '1.5', '9007199254740993', '1E-400', '0.1e1', `${'9'.repeat(400)}`],
    ...['null', 'true', 'false', '[]', '{}', '""', '"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\\u202e"'],
    ...[
      '"__proto__"',
      '"-1"',
      '"permanent"',
      '"1"',
      '"create"',
      '"ban"',
      '"delete"',
      '"restore"',
      '"archive"',
    ],
    ...['"2026-02-30T00:00:00Z"', '"9999-12-31T23:59:59.999Z"', '"0000-01-01T00:00:00Z"', '"#fff"'],
    ...['"data:image/png;base64,AAAA"', '"data:image/png;base64,####"', '"https://\\u0000"', '"[\\"x\\"]"'],
    ...['{"__proto__":{"admin":true}}', '[[[[[]]]]]', '"0198c0de-0000-7000-8000-000000000001"'],
  ),
  fc.json({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 60 }).map((text) => JSON.stringify(text)),
  fc.double().map((number) => JSON.stringify(number)),
  fc.string({ unit: 'grapheme', maxLength: 300 }).map((text) => JSON.stringify(text)),
)

const member = fc.tuple(name, value).map(([key, text]) => `${JSON.stringify(key)}:${text}`)
const object = fc.array(member, { maxLength: 8 }).map((members) => `{${members.join(',')}}`)

/** Names the bodies of a generator. */
const labeled = (kind: string, texts: fc.Arbitrary<string | Uint8Array>): fc.Arbitrary<MalformedBody> =>
  texts.map((generated) => ({
    kind,
    bytes: typeof generated === 'string' ? utf8.encode(generated) : generated,
  }))

const truncated = fc.tuple(object, fc.nat()).map(([text, index]) => text.slice(0, index % (text.length + 1)))
const corruptedBytes = fc
  .tuple(
    object,
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }),
  )
  .map(([text, changes]) => {
    const bytes = utf8.encode(text)
    for (const [index, byte] of changes) if (bytes.length > 0) bytes[index % bytes.length] = byte
    return bytes
  })
const duplicatedName = fc
  .tuple(member, fc.array(member, { maxLength: 3 }))
  .map(([duplicate, others]) => `{${[duplicate, ...others, duplicate].join(',')}}`)
const surrounded = fc
  .tuple(fc.constantFrom('\ufeff', '\0', ' ', '\n', '/**/', '}', ']', ','), object, fc.boolean())
  .map(([more, text, before]) => (before ? more + text : text + more))
const depth = fc.constantFrom(10, 1000, 31_000, 100_000)
const deeplyNested = fc
  .tuple(depth, fc.constantFrom('[', '{"a":'), fc.boolean(), name)
  .map(([levels, opens, isClosed, key]) => {
    const closes = opens === '[' ? ']' : '}'
    const nested = opens.repeat(levels) + (isClosed ? (opens === '[' ? '' : '1') + closes.repeat(levels) : '')
    return `{${JSON.stringify(key)}:${nested}${isClosed ? '}' : ''}`
  })
const manyNames = fc
  .constantFrom(100, 5000, 100_000)
  .map((count) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`)
const large = fc
  .tuple(fc.constantFrom(65_500, 66_000, 200_000, 3_200_000), name)
  .map(([length, key]) => `{${JSON.stringify(key)}:"${'x'.repeat(length)}"}`)

/** Malformed bodies, some well-formed by chance. Expensive kinds are rare. */
export const malformedBody: fc.Arbitrary<MalformedBody> = fc.oneof(
  { weight: 20, arbitrary: labeled('fields of wrong types', object) },
  { weight: 14, arbitrary: labeled('truncated', truncated) },
  { weight: 14, arbitrary: labeled('bytes that are not UTF-8', corruptedBytes) },
  { weight: 10, arbitrary: labeled('a duplicate name', duplicatedName) },
  { weight: 10, arbitrary: labeled('extra text around it', surrounded) },
  { weight: 8, arbitrary: labeled('any JSON', fc.json()) },
  { weight: 8, arbitrary: labeled('any text', fc.string({ unit: 'binary' })) },
  { weight: 8, arbitrary: labeled('any bytes', fc.uint8Array({ maxLength: 200 })) },
  { weight: 2, arbitrary: labeled('deeply nested', deeplyNested) },
  { weight: 1, arbitrary: labeled('many names', manyNames) },
  { weight: 1, arbitrary: labeled('large', large) },
)
