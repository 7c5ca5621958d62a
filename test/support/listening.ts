import { pollUntil } from './poll.ts'

/** Waits until a process listens on a local port. @throws Error with its error output if it ends first */
export async function waitUntilListening(
  name: string,
  child: Bun.Subprocess<'ignore', 'ignore', 'pipe'>,
  port: number,
): Promise<void> {
  const stderr = new Response(child.stderr).text()
  const isListening = () =>
    Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } }).then(
      (socket) => {
        socket.end()
        return true
      },
      () => false,
    )
  await pollUntil(async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${await stderr}`)
    return isListening()
  }, `${name} listens`)
}

/** Whether a server accepts no connections. */
export const isRefused = (url: string): Promise<boolean> =>
  fetch(new URL('/healthz', url)).then(
    () => false,
    () => true,
  )
