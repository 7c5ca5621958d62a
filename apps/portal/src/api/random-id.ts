/** An id that nobody else has: 128 random bits. Over plain http, browsers have no `crypto.randomUUID`. */
export const createRandomId = (): string => crypto.getRandomValues(new BigUint64Array(2)).join('-')
