import { type AddressInfo, connect, createServer } from 'node:net'

/** Stands between a process and its database, and cuts the line behind a word. */
export function cuttingProxy(url: string) {
  let word: string | null = null
  const target = new URL(url)
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const cut = () => {
      near.destroy()
      far.end()
    }
    near.on('data', (data) => {
      far.write(data)
      if (word !== null && data.includes(word)) cut()
    })
    far.on('data', (data) => near.write(data))
    for (const side of [near, far]) side.on('error', cut).on('close', cut)
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
  }
}
