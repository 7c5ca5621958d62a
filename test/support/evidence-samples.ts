/** Evidence files of each type, and dangerous ones. */

const ascii = (text: string) => new TextEncoder().encode(text)

export const joinBytes = (...parts: readonly (Uint8Array | string)[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === 'string' ? ascii(part) : part))))

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

/** A box of an MP4 file. */
export function box(type: string, ...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const content = joinBytes(...parts)
  return joinBytes(uint32(content.length + 8), type, content)
}

/** An MP4 with a track of this size, and whatever else it should contain. It has no frames that a player could show. */
export function createMp4(
  width = 640,
  height = 360,
  ...extra: readonly Uint8Array[]
): Uint8Array<ArrayBuffer> {
  const sample = new Uint8Array(78)
  new DataView(sample.buffer).setUint16(24, width)
  new DataView(sample.buffer).setUint16(26, height)
  const samples = box('stsd', uint32(0), uint32(1), box('avc1', sample))
  const track = box('trak', box('mdia', box('minf', box('stbl', samples))))
  return joinBytes(
    box('ftyp', 'isom', uint32(512), 'isomiso2avc1mp41'),
    box('moov', track, box('udta', box('loci', 'PLANTED +51.50-000.12/'))),
    ...extra,
    box('mdat', new Uint8Array(64)),
  )
}

const element = (id: string, ...parts: readonly (Uint8Array | string)[]): Uint8Array => {
  const content = joinBytes(...parts)
  return joinBytes(Uint8Array.fromHex(id), Uint8Array.fromHex('01000000'), uint32(content.length), content)
}

/** A WebM with a track of this size and one cluster. @param isStreamed whether segment and cluster have no size, as in a recording */
export function createWebm(
  { width = 640, height = 360, isStreamed = false, docType = 'webm' } = {},
  ...extra: readonly Uint8Array[]
): Uint8Array<ArrayBuffer> {
  const open = (id: string, ...parts: readonly Uint8Array[]) =>
    isStreamed
      ? joinBytes(Uint8Array.fromHex(id), Uint8Array.fromHex('01ffffffffffffff'), ...parts)
      : element(id, ...parts)
  const video = element('e0', element('b0', uint32(width)), element('ba', uint32(height)))
  const cluster = () => open('1f43b675', element('e7', uint32(0)), element('a3', new Uint8Array(32)))
  return joinBytes(
    element('1a45dfa3', element('4282', docType)),
    open(
      '18538067',
      element('1654ae6b', element('ae', video)),
      cluster(),
      cluster(),
      element('1254c367', 'PLANTED +51.50-000.12/'),
      ...extra,
    ),
  )
}

export const createPdf = (): Uint8Array<ArrayBuffer> =>
  joinBytes(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n',
    'trailer<</Root 1 0 R>>\n%%EOF\n',
  )

/** The end of a ZIP archive, which is enough to make a file one: with no entries and a comment of this length. */
export function createZipEnd(commentBytes = 0): Uint8Array {
  const end = new Uint8Array(22)
  end.set([0x50, 0x4b, 0x05, 0x06])
  new DataView(end.buffer).setUint16(20, commentBytes, true)
  return end
}
