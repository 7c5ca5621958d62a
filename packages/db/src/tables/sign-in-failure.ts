/** A failed sign-in, kept as long as the throttle looks back. */
export interface SignInFailureTable {
  id: string
  username_key: string
  address: string
  at: number
}
