import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { crc32 } from 'node:zlib'
import { createMp4 } from '../../support/evidence-samples.ts'
import { dataUrl, type ImageKind, imageBytes, images } from '../../support/images.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { PLANTED_TEXT, taggedImageBytes } from '../../support/tagged-images.ts'
import { type EventsFixture, openEventsFixture } from './fixture.ts'

const kinds = Object.keys(images) as ImageKind[]
/** How Exif data that contain only the orientation 6 begin and end. */
const ORIENTATION = Buffer.from('49492a000800000001001201030001000000060000', 'hex')

let instance: Instance
let fixture: EventsFixture
beforeAll(async () => {
  instance = await openInstance()
  fixture = await openEventsFixture(instance)
})
afterAll(() => instance.close())

const upload = (bytes: Uint8Array) =>
  fixture.writeEvent('POST', {
    title: 'A',
    scheduledFor: fixture.minutesFromNow(60),
    published: 'true',
    imageDataUrl: dataUrl(bytes),
  })

/** Uploads an image and returns what is served. */
async function uploadAndServe(bytes: Uint8Array): Promise<Buffer> {
  const { status, body } = await upload(bytes)
  expect([status, body.details]).toEqual([200, undefined])
  const served = await instance.app.fetch(new Request(body.event.imageUrl))
  return Buffer.from(await served.arrayBuffer())
}

async function expectRejected(bytes: Uint8Array, message: string | RegExp): Promise<void> {
  const { status, body } = await upload(bytes)
  expect([status, body.details?.length, body.details?.[0].field]).toEqual([400, 1, 'imageDataUrl'])
  expect(body.details[0].message).toMatch(message)
}

/** Inserts bytes at an offset. */
const insertAt = (bytes: Uint8Array, offset: number, ...inserted: readonly Uint8Array[]): Buffer =>
  Buffer.concat([bytes.subarray(0, offset), ...inserted, bytes.subarray(offset)])

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function pngChunk(type: string, data: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from(type), data])
  return Buffer.concat([uint32(data.length), content, uint32(crc32(content))])
}

describe('an uploaded image', () => {
  test.each(kinds)('loses its metadata: %s', async (kind) => {
    const tagged = taggedImageBytes(kind)
    expect(tagged.includes(PLANTED_TEXT)).toBe(true)
    const served = await uploadAndServe(tagged)
    expect(served.length).toBeGreaterThan(40)
    expect(served.includes(PLANTED_TEXT)).toBe(false)
    // Uploaded again, it is the same.
    expect(await uploadAndServe(served)).toEqual(served)
  })

  test.each(['png', 'jpg', 'webp'] as const)('keeps its orientation: %s', async (kind) => {
    const served = await uploadAndServe(taggedImageBytes(kind))
    expect(served.includes(ORIENTATION)).toBe(true)
    expect(served.length).toBeLessThan(taggedImageBytes(kind).length - 400)
  })

  test('keeps what decides how it looks: color profile, transparency, animation', async () => {
    const profile = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01'), Buffer.alloc(50, 7)])
    const segment = Buffer.concat([Buffer.from([0xff, 0xe2, 0, profile.length + 2]), profile])
    const jpg = insertAt(imageBytes('jpg'), 20, segment)
    const png = insertAt(
      imageBytes('png'),
      33,
      pngChunk('iCCP', Buffer.from('srgb\0\0x')),
      pngChunk('tRNS', Buffer.alloc(6)),
    )
    for (const bytes of [jpg, png]) expect(await uploadAndServe(bytes)).toEqual(bytes)
    const gif = await uploadAndServe(taggedImageBytes('gif'))
    expect([gif.includes('NETSCAPE2.0'), gif.indexOf('21f904', 0, 'hex') > 0]).toEqual([true, true])
  })

  test('has at most 40 megapixels, whatever its size in bytes', async () => {
    const resize = (kind: ImageKind, offset: number, size: string) => {
      const bytes = Buffer.from(imageBytes(kind))
      bytes.write(size, offset, 'hex')
      return bytes
    }
    const frame = imageBytes('jpg').indexOf(0xc2)
    const ispe = Buffer.from(imageBytes('avif')).indexOf('ispe')
    // 60000 × 60000, or as many as the format allows.
    const tooLarge = {
      png: resize('png', 16, '0000ea600000ea60'),
      jpg: resize('jpg', frame + 4, 'ea60ea60'),
      'the canvas of a gif': resize('gif', 6, '60ea60ea'),
      webp: resize('webp', 26, 'ff3fff3f'),
      avif: resize('avif', ispe + 8, '0000ea600000ea60'),
    }
    for (const bytes of Object.values(tooLarge))
      await expectRejected(
        bytes,
        /^must have at most 40 megapixels; it has (60000 × 60000|16383 × 16383) pixels$/,
      )
    // A frame that reaches beyond the canvas enlarges it.
    const image = Buffer.from(imageBytes('gif')).lastIndexOf(0x2c)
    await expectRejected(resize('gif', image + 1, '60ea60ea60ea60ea'), 'it has 120000 × 120000 pixels')
    // 8000 × 5000 is exactly the limit.
    expect((await upload(resize('png', 16, '00001f4000001388'))).status).toBe(200)
    await expectRejected(resize('png', 16, '00001f4100001388'), 'it has 8001 × 5000 pixels')
  })

  test.each(kinds)('is rejected if it is incomplete: %s', async (kind) => {
    const bytes = taggedImageBytes(kind)
    for (const missing of [2, 10, 30]) {
      const { status, body } = await upload(bytes.subarray(0, bytes.length - missing))
      expect([missing, status, body.details?.[0].message]).toEqual([
        missing,
        400,
        'is incomplete: the file ends before the image does',
      ])
    }
  })

  test.each(kinds.filter((kind) => kind !== 'jpg'))(
    'is rejected if another file follows it: %s',
    async (kind) => {
      const page = Buffer.from('<!doctype html><script>alert(1)</script>')
      const archive = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100, 1)])
      for (const other of [page, archive]) {
        const polyglot = Buffer.concat([imageBytes(kind), other])
        // What follows an AVIF is a box whose size is its first four bytes.
        await expectRejected(
          polyglot,
          kind === 'avif' ? 'is incomplete' : /^has \d+ bytes of other data after the image/,
        )
      }
    },
  )

  const declaredPair = insertAt(imageBytes('jpg'), 20, Buffer.from('ffe2000a4d504600deadbeef', 'hex'))
  // One entry, then a directory that says where it begins.
  const samsungTrailer = Buffer.concat([
    Buffer.from('0000010a0e000000', 'hex'),
    Buffer.from('Image_UTC_Data1609459200000SEFH'),
    Buffer.from('6a000000010000000000010a230000002300000018000000', 'hex'),
    Buffer.from('SEFT'),
  ])
  test.each([
    ['zeros', [imageBytes('jpg'), Buffer.alloc(512)]],
    ['a second picture', [declaredPair, taggedImageBytes('jpg')]],
    ['the trailer of Samsung', [imageBytes('jpg'), samsungTrailer]],
    ['the video of a motion photo', [imageBytes('jpg'), createMp4()]],
    ['another file', [imageBytes('jpg'), Buffer.from('<script>alert(1)</script>')]],
  ])('that is a JPEG loses what phones append: %s', async (_, parts) => {
    expect(await uploadAndServe(Buffer.concat(parts))).toEqual(Buffer.from(imageBytes('jpg')))
  })

  test('may end with zeros', async () => {
    const padded = Buffer.concat([imageBytes('png'), Buffer.alloc(512)])
    expect(await uploadAndServe(padded)).toEqual(Buffer.from(imageBytes('png')))
  })

  test('hides nothing in boxes of an AVIF that readers skip', async () => {
    const script = Buffer.from('<script>alert(1)</script>')
    const boxes = ['free', 'uuid', 'junk'].map((type) =>
      Buffer.concat([uint32(script.length + 8), Buffer.from(type), script]),
    )
    const served = await uploadAndServe(Buffer.concat([imageBytes('avif'), ...boxes]))
    expect(served.includes('script')).toBe(false)
  })

  test('is rejected if it is made to take long to read', async () => {
    const fill = (hex: string) => {
      const pattern = Buffer.from(hex, 'hex')
      return Buffer.alloc(pattern.length * 200_000, pattern)
    }
    const [png, jpg, gif] = [imageBytes('png'), imageBytes('jpg'), imageBytes('gif')]
    // Items of an AVIF whose extents have no fields, so that any number of them takes no bytes.
    const avif = taggedImageBytes('avif')
    avif.write('000000010001' + '0000ffff', avif.indexOf('iloc') + 8, 'hex')
    for (const bytes of [
      insertAt(png, 33, Buffer.alloc(12 * 100_000, pngChunk('tEXt', new Uint8Array()))),
      insertAt(jpg, 2, fill('fffe0002')),
      insertAt(gif, gif.length - 1, fill('21fe00')),
      Buffer.concat([imageBytes('avif'), fill('000000086a756e6b')]),
      avif,
    ])
      await expectRejected(bytes, 'is damaged: it has too many parts')
  })
})
