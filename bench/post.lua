-- wrk script: wrk … URL -- BODY_FILE HEADER_FILE [SESSION_FILE]
-- Sends the body with the headers ("Name: value" lines) as POST, with a new id and the next session of the list each time.
-- Prints one JSON line at the end. The requests are formatted once, so the load generator stays cheap.
local kVariants = 1000

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local function lines(path)
  local list = {}
  for line in io.lines(path) do
    if line ~= "" then list[#list + 1] = line end
  end
  return list
end

local requests = {}
local next_request = 0

function init(args)
  local body = read(args[1])
  local headers = {}
  for _, line in ipairs(lines(args[2])) do
    local name, value = line:match("^([^:]+): (.*)$")
    headers[name] = value
  end
  local sessions = args[3] and lines(args[3]) or {}
  for i = 1, kVariants do
    if #sessions > 0 then headers["Mcp-Session-Id"] = sessions[i % #sessions + 1] end
    local numbered = body:gsub('"id":1,', '"id":' .. i .. ",", 1)
    requests[i] = wrk.format("POST", nil, headers, numbered)
  end
end

function request()
  next_request = next_request % kVariants + 1
  return requests[next_request]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"failed":%d,"p50_ms":%.4f,"p95_ms":%.4f,"p99_ms":%.4f,"max_ms":%.4f}\n',
    summary.requests, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(95) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
end
