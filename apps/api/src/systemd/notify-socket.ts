import { dlopen, FFIType, ptr } from 'bun:ffi'

// Sends datagrams to a Unix socket. Bun and Node have no API for that (node:dgram has UDP only), and the libraries for it are
// native add-ons, which a single-file build cannot contain. Source of the constants: socket(2) and unix(7) on Linux.
const AF_UNIX = 1
const SOCK_DGRAM = 2
const SOCK_CLOEXEC = 0o2000000
const MSG_DONTWAIT = 0x40
const MSG_NOSIGNAL = 0x4000
/** The size of `sun_path`. */
const MAX_PATH_BYTES = 108

/** The C library of glibc, and of musl for each architecture. */
const C_LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1']

const { i32, i64, u32, u64, ptr: pointer } = FFIType
const functions = {
  socket: { args: [i32, i32, i32], returns: i32 },
  sendto: { args: [i32, pointer, u64, i32, pointer, u32], returns: i64 },
} as const

function loadCLibrary() {
  for (const library of C_LIBRARIES) {
    try {
      return dlopen(library, functions).symbols
    } catch {
      // Not this one: try the next.
    }
  }
  throw new Error(`cannot load the C library (${C_LIBRARIES.join(', ')})`)
}

/** Sends one datagram without waiting. @returns whether the receiver's queue took it */
export type SendDatagram = (text: string) => boolean

/**
 * Opens a socket for datagrams to a Unix socket.
 * @param address an absolute path, or an abstract name that begins with `@`
 * @throws Error with the cause, for an unsupported address too
 */
export function openDatagramSocket(address: string): SendDatagram {
  const receiver = toSocketAddress(address)
  const { socket, sendto } = loadCLibrary()
  const descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)
  if (descriptor < 0) throw new Error('cannot create a Unix socket')
  return (text) => {
    const bytes = Buffer.from(text)
    const flags = MSG_DONTWAIT | MSG_NOSIGNAL
    const sent = sendto(descriptor, ptr(bytes), bytes.length, flags, ptr(receiver), receiver.length)
    return Number(sent) === bytes.length
  }
}

/** A `sockaddr_un`. An abstract name begins with a NUL byte and is not terminated; a path is. */
function toSocketAddress(address: string): Uint8Array {
  const isAbstract = address.startsWith('@')
  if (!isAbstract && !address.startsWith('/')) throw new Error(`unsupported socket address ${address}`)
  const name = Buffer.from(isAbstract ? `\0${address.slice(1)}` : `${address}\0`)
  if (name.length > MAX_PATH_BYTES) throw new Error(`the socket address ${address} is too long`)
  const bytes = new Uint8Array(2 + name.length)
  new DataView(bytes.buffer).setUint16(0, AF_UNIX, true)
  bytes.set(name, 2)
  return bytes
}
