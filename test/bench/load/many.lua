dofile(os.getenv("BENCH_LOAD") .. "/callers.lua")
local path = target == "reeve" and "/api/moderation?banList=true&limit=100&workspaceId=" or "/many?banList=true&workspaceId="
request = function()
  local caller = any_caller()
  return wrk.format("GET", path .. caller.id .. "&userId=" .. players_of_a_server(), caller.headers)
end
