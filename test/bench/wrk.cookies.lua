-- Sends the Cookie headers of a file in turn: wrk -s wrk.cookies.lua URL -- FILE
local requests, sent = {}, 0

function init(args)
  for cookie in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", nil, { Cookie = cookie })
  end
end

function request()
  sent = sent % #requests + 1
  return requests[sent]
end
