dofile(os.getenv("BENCH_LOAD") .. "/callers.lua")
local path = target == "reeve" and "/api/moderation/check" or "/check"
-- Created before, because the load generator shares the processors with the server.
local rosters = {}
for i = 1, 200 do rosters[i] = random_roster(700) end
request = function()
  local caller = random_caller()
  local body = '{"workspaceId":"' .. caller.id .. '","userIds":"' .. rosters[math.random(#rosters)] .. '"}'
  return wrk.format("POST", path, caller.headers, body)
end
