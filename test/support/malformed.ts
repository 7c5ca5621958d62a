import fc from 'fast-check'

/** A body as it is put on the wire, and what is wrong with it, for the message of a test that fails. */
export interface Malformed {
  readonly kind: string
  readonly bytes: Uint8Array
}

const utf8 = new TextEncoder()

/** Names that the endpoints know, some that they do not, and some that every object has. */
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

/** Values as JSON text: of every type, at every edge. */
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

/** What a generator makes, under a name. */
const as = (kind: string, texts: fc.Arbitrary<string | Uint8Array>): fc.Arbitrary<Malformed> =>
  texts.map((made) => ({ kind, bytes: typeof made === 'string' ? utf8.encode(made) : made }))

const cut = fc.tuple(object, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)))
const flipped = fc
  .tuple(
    object,
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }),
  )
  .map(([text, changes]) => {
    const bytes = utf8.encode(text)
    for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte
    return bytes
  })
const doubled = fc
  .tuple(member, fc.array(member, { maxLength: 3 }))
  .map(([twice, others]) => `{${[twice, ...others, twice].join(',')}}`)
const around = fc
  .tuple(fc.constantFrom('\ufeff', '\0', ' ', '\n', '/**/', '}', ']', ','), object, fc.boolean())
  .map(([more, text, before]) => (before ? more + text : text + more))
const depth = fc.constantFrom(10, 1000, 31_000, 100_000)
const deep = fc
  .tuple(depth, fc.constantFrom('[', '{"a":'), fc.boolean(), name)
  .map(([levels, opens, isClosed, key]) => {
    const closes = opens === '[' ? ']' : '}'
    const nested = opens.repeat(levels) + (isClosed ? (opens === '[' ? '' : '1') + closes.repeat(levels) : '')
    return `{${JSON.stringify(key)}:${nested}${isClosed ? '}' : ''}`
  })
const many = fc
  .constantFrom(100, 5000, 100_000)
  .map((count) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`)
const large = fc
  .tuple(fc.constantFrom(65_500, 66_000, 200_000, 3_200_000), name)
  .map(([length, key]) => `{${JSON.stringify(key)}:"${'x'.repeat(length)}"}`)

/** Malformed bodies, and some that are well formed by chance. The expensive kinds are rare. */
export const malformed: fc.Arbitrary<Malformed> = fc.oneof(
  { weight: 20, arbitrary: as('fields of wrong types', object) },
  { weight: 14, arbitrary: as('cut short', cut) },
  { weight: 14, arbitrary: as('bytes that are no UTF-8', flipped) },
  { weight: 10, arbitrary: as('a name twice', doubled) },
  { weight: 10, arbitrary: as('something around it', around) },
  { weight: 8, arbitrary: as('any JSON', fc.json()) },
  { weight: 8, arbitrary: as('any text', fc.string({ unit: 'binary' })) },
  { weight: 8, arbitrary: as('any bytes', fc.uint8Array({ maxLength: 200 })) },
  { weight: 2, arbitrary: as('deep', deep) },
  { weight: 1, arbitrary: as('many names', many) },
  { weight: 1, arbitrary: as('large', large) },
)
