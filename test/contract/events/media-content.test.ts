import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { dataUrl, type ImageKind, imageBytes, images } from '../../support/images.ts'
import type { Instance } from '../../support/instance.ts'
import { type EventsFixture, imageStorages, openEventsFixture, openInstanceWithImages } from './fixture.ts'

let instance: Instance
let fixture: EventsFixture
let close: () => Promise<void>

const kinds = Object.keys(images) as ImageKind[]

describe.each(imageStorages)('images in %s', (storage) => {
  beforeAll(async () => {
    ;({ instance, close } = await openInstanceWithImages(storage))
  })
  beforeEach(async () => {
    fixture = await openEventsFixture(instance)
  })
  afterAll(() => close())

  describe('content of any other type is rejected, naming the field', () => {
    const expectRejected = async (imageDataUrl: unknown) => {
      const { status, body } = await fixture.writeEvent('POST', {
        title: 'A',
        scheduledFor: '100000000000',
        imageDataUrl,
      })
      return [status, body.code, body.details?.map((one: { field: string }) => one.field)]
    }
    const expected = [400, 'invalid_request', ['imageDataUrl']]

    const contents: Record<string, string | Uint8Array> = {
      SVG: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      HTML: '<!doctype html><script>alert(1)</script>',
      nothing: '',
      'a bitmap': Buffer.from('424d3a0000000000000036000000280000000100000001000000010018000000', 'hex'),
      'a TIFF': Buffer.from('49492a0008000000', 'hex'),
      'a video': Buffer.from('0000001c667479706d703432000000006d7034326d70343169736f6d00000000', 'hex'),
      'a HEIC picture': Buffer.from('0000001c6674797068656963000000006d69663168656963', 'hex'),
      'a RIFF sound': Buffer.from('524946462400000057415645666d7420100000000100010044ac', 'hex'),
      'a PNG without a header': Buffer.concat([imageBytes('png').subarray(0, 8), Buffer.alloc(100)]),
      'a PNG without a width': imageBytes('png').fill(0, 16, 20),
      'a PNG without a height': imageBytes('png').fill(0, 20, 24),
      'a PNG after a blank': Buffer.concat([Buffer.from(' '), imageBytes('png')]),
      'a JPEG without a segment': Buffer.from('ffd8ffffffffffff', 'hex'),
      'an AVIF brand past its box': Buffer.concat([
        Buffer.from('00000010667479706d70343200000000', 'hex'),
        Buffer.from('avif'),
      ]),
    }
    for (const [description, content] of Object.entries(contents)) {
      test(description, async () => {
        for (const label of ['image/png', 'image/svg+xml'])
          expect(await expectRejected(dataUrl(content, label))).toEqual(expected)
      })
    }

    test('a data URL that is not complete base64, and text that is not a data URL', async () => {
      const { png } = images
      for (const value of [
        '',
        png,
        `data:image/png,${png}`,
        `data:image/png;base64 ,${png}`,
        `data:image/png;base64;${png}`,
        `data:image/png;base64,${png} `,
        ` data:image/png;base64,${png}`,
        `data:image/png;base64,${png.slice(0, -1)}`,
        `data:image/png;base64,${png.slice(0, -3)}`,
        `data:image/png;base64,${png}=`,
        `data:image/png;base64,${png.slice(0, 40)} ${png.slice(40)}`,
        `data:image/png;base64,${png}${png}`,
        `data:image/png;base64,${png.replace('K', '%4B')}`,
        'https://example.com/a.png',
        `data:${'x'.repeat(1000)};base64,${png}`,
        1,
        true,
        [png],
        { png },
      ]) {
        expect([value, await expectRejected(value)]).toEqual([value, expected])
      }
    })

    test('every truncated image, without an internal error', async () => {
      for (const kind of kinds) {
        const bytes = imageBytes(kind)
        for (let length = 0; length < 36; length++) {
          const [status] = await expectRejected(dataUrl(bytes.subarray(0, length)))
          expect([200, 400]).toContain(status)
        }
        expect(await expectRejected(dataUrl(bytes.subarray(0, 3)))).toEqual(expected)
      }
      expect(instance.unexpectedErrors).toEqual([])
    })
  })
})
