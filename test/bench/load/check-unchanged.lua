-- Repeats checks of 700 players with the tag of the response before.
local checks = {}
for line in io.lines(os.getenv("BENCH_CALLERS") .. ".checks") do
  local key, body = line:match("(%S+) (%S+)")
  local headers = { ["Authorization"] = "Bearer " .. key, ["Content-Type"] = "application/json" }
  checks[#checks + 1] = { headers = headers, body = body }
end
math.randomseed(tonumber(os.getenv("BENCH_SEED")))
request = function()
  local check = checks[math.random(#checks)]
  return wrk.format("POST", "/api/moderation/check", check.headers, check.body)
end
