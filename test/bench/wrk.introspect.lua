-- Asks about one token over and over: wrk -s wrk.introspect.lua URL -- SECRET TOKEN MILLISECONDS
-- Each connection rests for MILLISECONDS between an answer and its next request.
local pause = 0

function init(args)
  wrk.method = "POST"
  wrk.headers["Authorization"] = "Bearer " .. args[1]
  wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
  wrk.body = "token=" .. args[2]
  pause = tonumber(args[3])
end

function delay()
  return pause
end
