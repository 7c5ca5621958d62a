/** How long a password may be, in characters. */
export const PASSWORD_MIN = 10
export const PASSWORD_MAX = 200
