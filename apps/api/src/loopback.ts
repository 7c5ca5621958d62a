const LOOPBACK = /^(127(\.\d+){3}|::1|\[::1\]|localhost)$/i

/** Whether a host is this machine. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)
