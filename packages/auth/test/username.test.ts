import { describe, expect, test } from 'bun:test'
import { toUsernameSkeleton, username } from '../src/accounts/username.ts'

describe('a username', () => {
  test('has letters of one script, or of those that one language uses together', () => {
    for (const name of [
      'robin',
      'Zoë 42',
      'Робин',
      'Ρόμπιν',
      'まりこ',
      '田中タロウ',
      'Tanakaタロウ田中',
      '김민수 Kim',
      '李ㄌㄧˇ',
      'रोहन',
      'x_X🎮X_x',
    ])
      expect(username.read(name)).toBe(name.normalize('NFC'))
  })

  test('does not mix letters of scripts that look alike', () => {
    for (const name of ['r\u043ebin', 'ро\u0062ин', 'Αdam', 'Ρobin', 'Аdmin', 'まри'])
      expect(() => username.read(name), name).toThrow('must not mix letters of different scripts')
  })
})

describe('the skeleton of a username', () => {
  test('is the same for names that look the same, whatever their case', async () => {
    for (const [one, other] of [
      ['robin', 'ROBIN'.toLowerCase()],
      ['scope', 'ѕсоре'],
      ['Robln', 'RobIn'],
      ['r0bin', 'robin'],
      ['rnike', 'mike'],
      ['pаypаl', 'paypal'],
      ['１ion', 'lion'],
      ['𝐫𝐨𝐛𝐢𝐧', 'robin'],
    ] as const)
      expect([one, await toUsernameSkeleton(one)]).toEqual([one, await toUsernameSkeleton(other)])
  })

  test('differs for names that look different', async () => {
    const names = ['robin', 'robyn', 'rubin', 'robin2', 'робин', 'zoe', 'zoë', 'account 2', 'account 3']
    const skeletons = await Promise.all(names.map(toUsernameSkeleton))
    expect(new Set(skeletons).size).toBe(names.length)
  })
})
