import { crc32, deflateSync } from 'node:zlib'

/** A PNG chunk: length, type, data and CRC. https://www.w3.org/TR/png-3/#5Chunk-layout */
function chunk(type: string, data: Uint8Array): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'ascii'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(typeAndData))
  return Buffer.concat([length, typeAndData, checksum])
}

type Color = readonly [number, number, number]

/** Draws a PNG pixel by pixel. @param colorAt takes x and y from 0 to 1 */
export function drawPng(width: number, height: number, colorAt: (x: number, y: number) => Color): Buffer {
  const scanlines = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      scanlines.set(colorAt(x / width, y / height), y * (1 + width * 3) + 1 + x * 3)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits each for red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(scanlines)),
    chunk('IEND', new Uint8Array()),
  ])
}

const mixColors = (from: Color, to: Color, ratio: number): Color => [
  from[0] + (to[0] - from[0]) * ratio,
  from[1] + (to[1] - from[1]) * ratio,
  from[2] + (to[2] - from[2]) * ratio,
]

/** A landscape in the evening. */
export const drawEvening = (width: number, height: number): Buffer =>
  drawPng(width, height, (x, y) => {
    const hills = 0.72 - 0.14 * Math.sin(x * 5) - 0.05 * Math.sin(x * 17 + 1)
    if (y > hills) return mixColors([30, 74, 55], [14, 36, 28], (y - hills) * 3)
    const distance = Math.hypot((x - 0.7) * (width / height), y - 0.42)
    return distance < 0.09 ? [255, 233, 176] : mixColors([29, 58, 95], [233, 161, 91], y)
  })

/** Noise, which only lossy compression makes small. */
export function drawNoise(width: number, height: number): Buffer {
  let seed = 1
  const next = () => {
    // Marsaglia's xorshift generator.
    seed ^= seed << 13
    seed ^= seed >>> 17
    seed ^= seed << 5
    return seed & 255
  }
  return drawPng(width, height, () => [next(), next(), next()])
}
