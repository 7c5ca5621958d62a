import { dlopen, FFIType, ptr } from 'bun:ffi'

// The receiving end of sd_notify(3), as a process of its own: it binds the datagram socket that its argument names, waits for
// messages, and prints each as a line of JSON. Constants: socket(2), unix(7).
const { i32, i64, u32, u64, ptr: pointer } = FFIType
const { socket, bind, recv } = dlopen('libc.so.6', {
  socket: { args: [i32, i32, i32], returns: i32 },
  bind: { args: [i32, pointer, u32], returns: i32 },
  recv: { args: [i32, pointer, u64, i32], returns: i64 },
}).symbols

const AF_UNIX = 1
const SOCK_DGRAM = 2

const [, , address = ''] = process.argv
const path = Buffer.from(address.startsWith('@') ? `\0${address.slice(1)}` : `${address}\0`)
const name = Buffer.concat([Buffer.from([AF_UNIX, 0]), path])
const descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
if (bind(descriptor, ptr(name), name.length) !== 0) throw new Error(`cannot bind ${address}`)
const print = (value: unknown) => Bun.stdout.write(`${JSON.stringify(value)}\n`)
await print('bound')
const buffer = new Uint8Array(65_536)
for (;;) {
  const length = Number(recv(descriptor, ptr(buffer), buffer.length, 0))
  if (length < 0) throw new Error('cannot receive')
  await print(Buffer.from(buffer.subarray(0, length)).toString())
}
