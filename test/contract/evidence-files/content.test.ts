import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sha256Hex } from '@reeve/core/sha256'
import {
  box,
  createMp4,
  createPdf,
  createWebm,
  createZipEnd,
  joinBytes,
} from '../../support/evidence-samples.ts'
import { createPng, imageBytes } from '../../support/images.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { PLANTED_TEXT, taggedImageBytes } from '../../support/tagged-images.ts'
import { type EvidenceFixture, openEvidenceFixture } from './fixture.ts'

let instance: Instance
let fixture: EvidenceFixture
let recordId: string

beforeAll(async () => {
  instance = await openInstance()
  fixture = await openEvidenceFixture(instance)
})
beforeEach(async () => {
  recordId = (await fixture.createRecord()).id
})
afterAll(() => instance.close())

/** How many rows each table of files has, also of those that are not attached or to be deleted. */
const countStored = async () => {
  const tables = ['evidence_file', 'evidence_part', 'evidence_object']
  const rows = await instance.storage.queryEach(tables.map((table) => `select 1 from ${table}`))
  return tables.map((table, index) => [table, rows[index]?.length])
}

const contains = (bytes: Uint8Array, text: string) => Buffer.from(bytes).includes(text)
const kinds = ['png', 'jpg', 'webp', 'gif', 'avif'] as const

describe('a file', () => {
  test.each([
    ['anything.exe', imageBytes('png'), 'image/png', 'anything.exe.png'],
    ['photo.JPEG', imageBytes('jpg'), 'image/jpeg', 'photo.JPEG'],
    ['a.webp', imageBytes('webp'), 'image/webp', 'a.webp'],
    ['a.gif', imageBytes('gif'), 'image/gif', 'a.gif'],
    ['a.html', imageBytes('avif'), 'image/avif', 'a.html.avif'],
    ['clip.mp4', createMp4(), 'video/mp4', 'clip.mp4'],
    ['clip.webm', createWebm(), 'video/webm', 'clip.webm'],
    ['recording.webm', createWebm({ isStreamed: true }), 'video/webm', 'recording.webm'],
    ['paper.pdf', createPdf(), 'application/pdf', 'paper.pdf'],
    ['server.log', joinBytes('[12:00] \x1b[31mbanned\x1b[0m Jürgen\r\n'), 'text/plain', 'server.log'],
    ['page.html', joinBytes('<script>alert(1)</script>'), 'text/plain', 'page.html.txt'],
    ['C:\\fakepath\\..\\no\u202egnp.txt', joinBytes('x'), 'text/plain', 'no gnp.txt'],
  ])('%s is stored by the type of its content', async (name, bytes, type, storedName) => {
    const { status, body } = await fixture.upload(recordId, name, bytes)
    expect([status, body.error]).toEqual([200, undefined])
    const { file, record } = body
    expect(file).toMatchObject({ name: storedName, type, addedAt: record.updatedAt })
    expect(record.evidenceFiles).toEqual([file])
    const stored = await fixture.readBytes(file.id)
    expect(file).toMatchObject({ size: String(stored.length), sha256: sha256Hex(stored) })
  })

  test('whose declared type is another one is stored by its content', async () => {
    const headers = { 'content-type': 'text/html' }
    const { body } = await fixture.upload(recordId, 'a.png', imageBytes('png'), { headers })
    expect(body.file.type).toBe('image/png')
    const { headers: served } = await fixture.download(body.file.id)
    expect(served.get('content-type')).toBe('image/png')
  })

  test.each(kinds)('that is a %s loses its metadata and keeps its picture', async (kind) => {
    const tagged = new Uint8Array(taggedImageBytes(kind))
    expect(contains(tagged, PLANTED_TEXT)).toBe(true)
    const stored = await fixture.readBytes((await fixture.upload(recordId, `a.${kind}`, tagged)).body.file.id)
    expect(contains(stored, PLANTED_TEXT)).toBe(false)
    expect(stored.length).toBeGreaterThan(50)
  })

  test.each([
    ['mp4', createMp4(640, 360, box('free', 'PLANTED'), box('uuid', 'PLANTED'))],
    ['webm', createWebm()],
    ['webm of a recording', createWebm({ isStreamed: true })],
  ])('that is an %s loses where it was recorded', async (_, video) => {
    expect(contains(video, 'PLANTED')).toBe(true)
    const stored = await fixture.readBytes((await fixture.upload(recordId, 'a', video)).body.file.id)
    expect(stored.length).toBe(video.length)
    expect(contains(stored, 'PLANTED')).toBe(false)
  })

  test('of a PDF ends where the PDF ends', async () => {
    const page = joinBytes(createPdf(), '<script>alert(1)</script>', new Uint8Array(100))
    const stored = await fixture.readBytes((await fixture.upload(recordId, 'a.pdf', page)).body.file.id)
    expect(Buffer.from(stored).toString('latin1')).toEndWith('%%EOF\n')
    expect(contains(stored, 'script')).toBe(false)
  })

  test.each([
    ['a video, as in a motion photo', createMp4()],
    ['an archive', createZipEnd()],
  ])('of a JPEG ends where the picture ends, without %s', async (_, other) => {
    const photo = joinBytes(imageBytes('jpg'), other)
    const { status, body } = await fixture.upload(recordId, 'a.jpg', photo)
    expect([status, body.error]).toEqual([200, undefined])
    expect(Buffer.from(await fixture.readBytes(body.file.id))).toEqual(Buffer.from(imageBytes('jpg')))
  })

  test('of a WebM ends where the video ends', async () => {
    const video = joinBytes(createWebm(), '<script>alert(1)</script>')
    const stored = await fixture.readBytes((await fixture.upload(recordId, 'a.webm', video)).body.file.id)
    expect(contains(stored, 'script')).toBe(false)
  })
})

/** A PNG header that announces so many pixels. */
function createBomb(width: number, height: number): Uint8Array<ArrayBuffer> {
  const png = new Uint8Array(createPng(100))
  new DataView(png.buffer).setUint32(16, width)
  new DataView(png.buffer).setUint32(20, height)
  return png
}

describe('a file is rejected, and nothing is stored', () => {
  const endsBefore = (kind: string) => `file: is incomplete: the file ends before the ${kind} does`
  const zip = createZipEnd()
  test.each([
    ['that is empty', new Uint8Array(), 'file: is empty'],
    ['of a program', joinBytes('MZ', new Uint8Array(200)), 'file: must be a PNG, JPEG'],
    ['of a ZIP archive', joinBytes('PK\x03\x04', new Uint8Array(60), zip), 'file: must be'],
    ['of a QuickTime video', box('ftyp', 'qt  ', '\0\0\0\0', 'qt  '), 'file: must be'],
    ['of Matroska', createWebm({ docType: 'mkv!' }), 'file: must be'],
    ['of text in another encoding', joinBytes('J', Uint8Array.of(0xfc), 'rgen'), 'file: must be'],
    [
      'of a PNG followed by a page',
      joinBytes(imageBytes('png'), '<script>'),
      'file: has 8 bytes of other data',
    ],
    [
      'of a WebP followed by an archive',
      joinBytes(imageBytes('webp'), zip),
      'file: has 22 bytes of other data',
    ],
    [
      'of a GIF followed by a script',
      joinBytes(imageBytes('gif'), '=1;alert(1)'),
      'file: has 11 bytes of other',
    ],
    ['of an MP4 followed by a page', joinBytes(createMp4(), '<html>!!'), endsBefore('video')],
    ['of text that is an archive', joinBytes('notes', 'PK\x05\x06'), 'file: must be'],
    [
      'of an MP4 with an archive in its frames',
      joinBytes(createMp4(), box('mdat', 'PK\x03\x04', createZipEnd())),
      'file: is two files in one',
    ],
    ['of a PDF without an end', joinBytes('%PDF-1.4\n1 0 obj<<>>endobj'), endsBefore('document')],
    ['of a truncated PNG', imageBytes('png').subarray(0, 50), endsBefore('image')],
    ['of a truncated MP4', createMp4().subarray(0, 150), endsBefore('video')],
    ['of a truncated WebM', createWebm().subarray(0, 150), endsBefore('video')],
    [
      'of an MP4 without a video',
      box('ftyp', 'isom', '\0\0\0\0', 'isom'),
      'file: is damaged: it has no video',
    ],
    [
      'of a picture with 10 gigapixels',
      createBomb(100_000, 100_000),
      'file: must have at most 40 megapixels',
    ],
    ['of a video with 4 gigapixels', createMp4(65_535, 65_535), 'file: must have at most 40 megapixels'],
    [
      'of a recording with 4 gigapixels',
      createWebm({ width: 65_535, height: 65_535 }),
      'file: must have at most 40',
    ],
  ])('%s', async (_, bytes, message) => {
    const before = await countStored()
    const { status, body } = await fixture.upload(recordId, 'a', new Uint8Array(bytes))
    expect([status, body.error]).toEqual([400, expect.stringContaining(message)])
    const { record } = await fixture.readRecord(recordId)
    expect([record.evidenceFiles, record.version]).toEqual([[], '1'])
    expect(await countStored()).toEqual(before)
  })
})
