import { crc32, deflateSync } from 'node:zlib'
import { imageBytes } from '../support/images.ts'

/** What the images contain in data that no cleaning removes. */
export const SCRIPT = '<script>hit()</script>'

interface Polyglot {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

const pad = (text: string, length: number): Buffer => Buffer.from(text.padEnd(length, ' '), 'latin1')

/** A GIF whose header, read as JavaScript, begins a comment that ends in its palette: a script from there on. */
function createGif(): Buffer {
  const palette = pad(`*/=1;hit();//${SCRIPT}`, 256 * 3)
  // 10,799 × 1 pixels: the width is `/*`. A palette of 256 colors.
  const header = Buffer.from([0x2f, 0x2a, 1, 0, 0xf7, 0, 0])
  const image = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b])
  return Buffer.concat([Buffer.from('GIF89a'), header, palette, image])
}

function createChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** A PNG of one pixel. @param chunks those between its header and its pixels @param pixels the compressed line */
function createPng(colorType: number, chunks: readonly Buffer[], pixels: Uint8Array, width = 1): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(1, 4)
  header[8] = 8
  header[9] = colorType
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    createChunk('IHDR', header),
    ...chunks,
    createChunk('IDAT', pixels),
    createChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A JPEG with a page as its quantization table. */
function createJpeg(): Buffer {
  const bytes = Buffer.from(imageBytes('jpg'))
  const table = bytes.indexOf(Buffer.from([0xff, 0xdb])) + 5
  pad(`<html>${SCRIPT}</html>`, 64).copy(bytes, table)
  return bytes
}

const page = `<html>${SCRIPT}</html>`

/** Images that are also scripts or pages. */
export const polyglots: Readonly<Record<string, Polyglot>> = {
  'a GIF whose palette is a script': { mediaType: 'image/gif', bytes: createGif() },
  'a PNG whose palette is a page': {
    mediaType: 'image/png',
    bytes: createPng(3, [createChunk('PLTE', pad(page, 48))], deflateSync(Buffer.from([0, 0]))),
  },
  'a PNG whose pixels are a page': {
    mediaType: 'image/png',
    bytes: createPng(0, [], deflateSync(Buffer.concat([Buffer.from([0]), pad(page, 60)]), { level: 0 }), 60),
  },
  'a JPEG whose quantization table is a page': { mediaType: 'image/jpeg', bytes: createJpeg() },
}
