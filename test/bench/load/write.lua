dofile(os.getenv("BENCH_LOAD") .. "/callers.lua")
request = function()
  local caller = random_caller()
  local player = random_player()
  if target ~= "reeve" then
    return wrk.format("POST", "/" .. target .. "?workspaceId=" .. caller.id .. "&userId=" .. player, caller.headers, "{}")
  end
  local body = '{"workspaceId":"' .. caller.id .. '","action":"warn","userId":"' .. player .. '","reason":"Spamming"}'
  return wrk.format("POST", "/api/moderation", caller.headers, body)
end
