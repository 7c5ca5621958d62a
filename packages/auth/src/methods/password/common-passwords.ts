/**
 * The most common passwords that meet the minimum length, and passwords that contain the product name.
 * Source: the most frequent entries of published lists of leaked passwords, of ten characters or more.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `1234567890 0123456789 0987654321 1234567891 12345678910 123456789a 123456789q 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc
  qwertyuiop qwerty12345 qwerty123456 qwerty1234 qwertyuiop123 asdfghjkl1 asdfghjkl123 zxcvbnm123 q1w2e3r4t5 q1w2e3r4t5y6
  password12 password123 password1234 password12345 passw0rd123 passw0rd12 p@ssw0rd123 p@ssword123 password!1 password01
  iloveyou12 iloveyou123 iloveyou1234 princess123 sunshine123 football123 baseball123 superman123 michael123 charlie123
  welcome123 welcome1234 welcome2024 welcome2025 welcome2026 letmein123 letmein1234 changeme123 changeme1234 administrator
  admin12345 admin123456 adminadmin administrator1 rootroot123 abcdefghij abcdefghijk abc1234567 abcd123456 abcd12345678
  1111111111 0000000000 1212121212 1231231234 123123123123 121212121212 9876543210 11223344556 1122334455 147258369a
  monkey1234 dragon1234 master1234 shadow1234 trustno1trustno1 computer123 internet123 whatever123 starwars123 pokemon123
  minecraft1 minecraft123 roblox1234 roblox12345 robloxroblox fortnite123 gamer12345 moderator1 moderator123 reeve12345
  correcthorse correct horse battery staple correcthorsebatterystaple thisismypassword mypassword123 secret12345 secretsecret
  qazwsxedcrfv qwerasdfzxcv asdfasdfasdf qweqweqwe123 1a2b3c4d5e 123qweasdzxc q1q1q1q1q1 aaaaaaaaaa a123456789 aa123456789
  summer2024 summer2025 summer2026 winter2024 winter2025 winter2026 spring2026 autumn2026 football1234 liverpool123`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
