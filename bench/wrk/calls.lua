-- What wrk sends, and its figures as one line of JSON. Arguments: how many bytes of body to post
-- (0: GET), and, for calls with a different key each, a file of keys and the line to begin at.

local keys, at, before, after

function init(arguments)
  local bytes = tonumber(arguments[1])
  if bytes > 0 then
    wrk.method = "POST"
    wrk.body = string.rep("x", bytes)
    wrk.headers["Content-Type"] = "text/plain"
  end
  if arguments[2] then
    keys, at = {}, tonumber(arguments[3])
    for key in io.lines(arguments[2]) do keys[#keys + 1] = key end
    wrk.headers["X-Api-Key"] = "@"
    before, after = wrk.format():match("^(.-: )@(.*)$")
    request = function()
      at = at % #keys + 1
      return before .. keys[at] .. after
    end
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nBENCH {"requests":%d,"seconds":%.6f,"bytes":%d,"statusErrors":%d,"socketErrors":%d,'
      .. '"p50":%.4f,"p99":%.4f}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000
  ))
end
