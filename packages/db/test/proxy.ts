import { type AddressInfo, connect, createServer } from 'node:net'

/** Stands between a process and its database, and cuts the line: behind a word, or altogether. */
export function cuttingProxy(url: string) {
  let word: string | null = null
  let state: 'open' | 'cut' | 'still' = 'open'
  const lines = new Set<{ cut: () => void; pause: () => void; resume: () => void }>()
  const target = new URL(url)
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const sides = [near, far]
    const line = {
      cut() {
        lines.delete(line)
        near.destroy()
        far.end()
      },
      pause() {
        for (const side of sides) side.pause()
      },
      resume() {
        for (const side of sides) side.resume()
      },
    }
    lines.add(line)
    near.on('data', (data) => {
      far.write(data)
      if (word !== null && data.includes(word)) line.cut()
    })
    far.on('data', (data) => near.write(data))
    for (const side of sides) side.on('error', line.cut).on('close', line.cut)
    if (state === 'cut') line.cut()
    if (state === 'still') line.pause()
  })
  server.listen(0, '127.0.0.1').unref()
  const through = new URL(url)
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    /** The connection over which this word is sent breaks right behind it; null lets all be. */
    cutAt: (next: string | null) => {
      word = next
    },
    /** Nobody gets through any more: connections are cut, or nothing is heard on them and nobody is told so. */
    shut: (how: 'cut' | 'still') => {
      state = how
      for (const line of lines) line[how === 'cut' ? 'cut' : 'pause']()
    },
    open: () => {
      state = 'open'
      for (const line of lines) line.resume()
    },
  }
}
