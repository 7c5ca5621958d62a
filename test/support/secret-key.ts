/** The secret key of every instance of the tests, as a setting. */
export const SECRET_KEY = Buffer.from('the secret key of all test cases').toString('base64')

export const secretKeyBytes: Uint8Array = Buffer.from(SECRET_KEY, 'base64')
