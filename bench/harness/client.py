"""The requests of the benchmark, and a small client for what wrk cannot do."""
import http.client
import json
import time

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
MODERN_META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
}


class Request:
    """One kind of POST to /mcp: body, headers, and the sessions it is spread over."""
    path = "/mcp"

    def __init__(self, method, params, modern=False, sessions=()):
        self.sessions = list(sessions)
        self.headers = dict(HEADERS)
        if modern:
            params = {**params, "_meta": MODERN_META}
            self.headers.update({"MCP-Protocol-Version": MODERN, "Mcp-Method": method})
            if "name" in params:
                self.headers["Mcp-Name"] = params["name"]
        elif self.sessions:
            self.headers["MCP-Protocol-Version"] = LEGACY
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self.body = json.dumps(message, separators=(",", ":"))

    def write(self, folder, name):
        """Writes the files post.lua reads; returns their paths."""
        paths = [folder / f"{name}.json", folder / f"{name}.headers"]
        paths[0].write_text(self.body)
        paths[1].write_text("".join(f"{key}: {value}\n" for key, value in self.headers.items()))
        if self.sessions:
            paths.append(folder / f"{name}.sessions")
            paths[2].write_text("\n".join(self.sessions) + "\n")
        return [str(path) for path in paths]


def call(tool, arguments, **options):
    return Request("tools/call", {"name": tool, "arguments": arguments}, **options)


class Mutation(Request):
    """A POST to a tRPC procedure."""

    def __init__(self, procedure, value):
        self.sessions = []
        self.headers = {"Content-Type": "application/json"}
        self.path = f"/trpc/{procedure}"
        self.body = json.dumps(value, separators=(",", ":"))


class Client:
    """A keep-alive connection to /mcp."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        self.used = time.monotonic()

    def post(self, body, headers):
        """Returns status, reply headers, the JSON-RPC message (or None) and the seconds it took."""
        if time.monotonic() - self.used > 30:
            self.connection.close()  # the server ends idle connections; the next request opens a new one
        self.used = time.monotonic()
        begin = time.perf_counter()
        self.connection.request("POST", "/mcp", body, headers)
        reply = self.connection.getresponse()
        data = reply.read()
        seconds = time.perf_counter() - begin
        if reply.headers.get("Content-Type", "").startswith("text/event-stream"):
            lines = [line[5:] for line in data.split(b"\n") if line.startswith(b"data:") and len(line) > 7]
            data = lines[-1] if lines else b""
        return reply.status, reply.headers, json.loads(data) if data else None, seconds

    def send(self, request):
        headers = dict(request.headers)
        if request.sessions:
            headers["Mcp-Session-Id"] = request.sessions[0]
        return self.post(request.body, headers)

    def check(self, request):
        """Sends the request once and fails unless the answer is a good result."""
        status, _, message, _ = self.send(request)
        if status != 200 or "result" not in message or message["result"].get("isError"):
            raise RuntimeError(f"{request.body} gave {status}: {json.dumps(message)[:500]}")
        return message["result"]

    def open_session(self):
        """Runs the handshake; returns the session id and the seconds `initialize` took."""
        params = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        status, headers, message, seconds = self.send(Request("initialize", params))
        if status != 200 or "result" not in message:
            raise RuntimeError(f"initialize gave {status}: {message}")
        session = headers["Mcp-Session-Id"]
        self.post('{"jsonrpc":"2.0","method":"notifications/initialized"}',
                  {**HEADERS, "Mcp-Session-Id": session, "MCP-Protocol-Version": LEGACY})
        return session, seconds

    def list_all_tools(self, session):
        """Follows the cursor to the end; returns the number of tools and the seconds of the whole listing."""
        count, total, params = 0, 0.0, {}
        while True:
            _, _, message, seconds = self.send(Request("tools/list", params, sessions=[session]))
            total += seconds
            count += len(message["result"]["tools"])
            cursor = message["result"].get("nextCursor")
            if not cursor:
                return count, total
            params = {"cursor": cursor}
