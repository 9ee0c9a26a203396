"""A server on loopback that speaks the providers' contracts, and fails in every way they can.

The first part of a path names what happens (``/success/v1/systemone``). Answers follow from the question
alone, so that every run gets the same. ``python -m tests.provider`` prints its port and serves until killed.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import struct
import threading
import time
from typing import Any

HANG_S = 30
FILLER = "x" * 5_000_000
LEAK = "PROVIDER-TEXT-THAT-MUST-NOT-BE-KEPT"
STATUS = {
    "401": (401, {}),
    "403": (403, {}),
    "422": (422, {}),
    "429": (429, {"retry-after": "2"}),
    "500": (500, {}),
    "503": (503, {}),
}


class Provider:
    """Serves from a thread; ``requests`` holds path, headers and body of everything received."""

    def __init__(self, delay_s: float = 0.0, keep: bool = True):
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.seen: dict[str, int] = {}
        self.in_flight = self.most_in_flight = 0
        self._delay_s, self._keep = delay_s, keep
        self._ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True).start()
        self._ready.wait()

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0, limit=2**24)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        async with server:
            await server.serve_forever()

    def url(self, case: str = "success") -> str:
        return f"http://127.0.0.1:{self.port}/{case}"

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                first, *lines = head.decode().split("\r\n")
                headers = dict(line.lower().split(": ", 1) for line in lines if line)
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                path = first.split()[1]
                if self._keep:
                    self.requests.append((path, headers, body))
                self.in_flight += 1
                self.most_in_flight = max(self.most_in_flight, self.in_flight)
                try:
                    await self._answer(path, headers, body, writer)
                finally:
                    self.in_flight -= 1
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _answer(self, path: str, headers: dict, body: bytes, writer: asyncio.StreamWriter) -> None:
        _, case, *_ = path.split("/")
        times = self.seen[path] = self.seen.get(path, 0) + 1
        kind = "jev" if path.endswith("systemone") else "openai" if path.endswith("responses") else "chat"
        if path.endswith("decisions"):
            kind = "decisions"
        if self._delay_s:
            await asyncio.sleep(self._delay_s)
        if case == "timeout-before":
            await asyncio.sleep(HANG_S)
        if case in STATUS or (case == "503-once" and times == 1):
            status, extra = STATUS[case[:3]]
            detail = {"error_type": "made_up_error", "message": LEAK}
            error = {"message": LEAK, "type": "made_up_error", "code": None}
            await _send(writer, status, {"detail": detail, "error": error}, extra)
            return
        if case == "over-limit":
            error = {"message": LEAK, "type": "invalid_request_error", "code": "context_length_exceeded"}
            if kind == "chat":
                error = {"code": "context_length_exceeded", "message": LEAK}
            await _send(writer, 400, {"detail": {"error_type": "max_tokens_exceeded"}, "error": error})
            return
        if case == "over-limit-above-2" and _json_part(headers, body)["state"]["pages"][2:]:
            await _send(writer, 400, {"detail": {"error_type": "max_tokens_exceeded"}})
            return
        value = REPLIES[kind](case, _json_part(headers, body))
        data = json.dumps(value).encode()
        if case == "malformed":
            data = b'{"model": "' + LEAK.encode()
        elif case == "empty":
            data = b""
        elif case == "big":
            data = FILLER.encode()
        elif case == "big-valid":
            data = json.dumps(value | {"filler": FILLER}).encode()
        head = _head(200, len(data), {})
        if case in ("timeout-after", "reset"):
            writer.write(head + data[: len(data) // 2])
            await writer.drain()
            if case == "timeout-after":
                await asyncio.sleep(HANG_S)
            socket = writer.get_extra_info("socket")
            socket.setsockopt(1, 13, struct.pack("ii", 1, 0))  # SO_LINGER 0: close resets
            writer.transport.abort()
            raise ConnectionResetError
        if case == "drip":
            writer.write(head)
            for byte in data:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.05)
            return
        writer.write(head + data)
        await writer.drain()


def _head(status: int, length: int, extra: dict[str, str]) -> bytes:
    request_id = f"req_{time.time_ns():032x}"
    lines = [
        f"HTTP/1.1 {status} Something",
        "content-type: application/json",
        f"content-length: {length}",
        f"x-request-id: {request_id}",
        f"x-typesafe-request-id: {request_id}",
        *(f"{name}: {value}" for name, value in extra.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def _send(writer: asyncio.StreamWriter, status: int, value: Any, extra: dict | None = None) -> None:
    data = json.dumps(value).encode()
    writer.write(_head(status, len(data), extra or {}) + data)
    await writer.drain()


def _json_part(headers: dict[str, str], body: bytes) -> dict[str, Any]:
    if "multipart" in headers.get("content-type", ""):
        body = body.split(b"\r\n\r\n", 1)[1].split(b"\r\n--", 1)[0]
    return json.loads(body)


def pick(labels: list[str], about: Any) -> str:
    """The answer: one of the options, from a hash of what was asked."""
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).digest()
    return labels[digest[0] % len(labels)]


def _shares(labels: list[str], chosen: str, total: float = 1.0) -> dict[str, float]:
    rest = 0.3 / max(1, len(labels) - 1)
    return {x: round((0.7 if x == chosen else rest) * total, 4) for x in labels}


def _usage(case: str, usage: dict[str, Any], partial: dict[str, Any]) -> dict[str, Any]:
    if case == "missing-usage":
        return {}
    return {"usage": partial if case == "partial-usage" else usage}


def _question(name: str, question: dict[str, Any], case: str) -> dict[str, Any]:
    if question["type"] == "noul":
        return {"type": "noul", "noul": 0.9 if pick(["y", "n"], [name, question]) == "y" else 0.1}
    if question["type"] == "score":
        levels = [str(n) for n in range(len(question["criteria"]))]
        legend = dict(zip(levels, question["criteria"], strict=True))
        shares = _shares(levels, pick(levels, question))
        return {"type": "score", "score": 1.0, "legend": legend, "probabilities": shares, "confidence": 0.5}
    labels = list(question["criteria"])
    chosen = "none of your options" if case == "unknown-option" else pick(labels, question)
    shares = _shares(labels, chosen, 0.5 if case == "bad-sum" else 1.0)
    return {"type": "choice", "choice": chosen, "probabilities": shares, "confidence": 0.6}


def _jev(case: str, body: dict[str, Any]) -> dict[str, Any]:
    answers = {name: _question(name, q, case) for name, q in body["questions"].items()}
    if case == "missing-answer":
        answers.popitem()
    usage = {"input_tokens": 1000, "output_tokens": 57}
    return {"model": body["model"], "answers": answers} | _usage(case, usage, {"output_tokens": 57})


def _text(case: str, schema: dict[str, Any], about: Any) -> str:
    properties = schema["properties"]
    if "segments" in properties:
        labels = properties["segments"]["items"]["properties"]["category"]["enum"]
        pages = [page["number"] for page in json.loads(about)["document"]["pages"]]
        return json.dumps({"segments": [{"category": pick(labels, about), "start": 1, "end": pages[-1]}]})
    (name,) = properties
    chosen = "none of your options" if case == "unknown-option" else pick(properties[name]["enum"], about)
    return "{broken" if case == "malformed-answer" else json.dumps({name: chosen})


def _openai(case: str, body: dict[str, Any]) -> dict[str, Any]:
    about = body["input"] if isinstance(body["input"], str) else body["input"][0]["content"][0]["text"]
    part = {"type": "output_text", "text": _text(case, body["text"]["format"]["schema"], about)}
    if case == "refusal":
        part = {"type": "refusal", "refusal": LEAK}
    usage = {
        "input_tokens": 1000,
        "output_tokens": 14,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 997},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    cut = case == "cut"
    return {
        "id": "resp_1",
        "object": "response",
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "model": body["model"],
        "output": [{"type": "message", "role": "assistant", "content": [part]}],
    } | _usage(case, usage, {"input_tokens": 1000})


def _chat(case: str, body: dict[str, Any]) -> dict[str, Any]:
    content = body["messages"][1]["content"]
    about = content if isinstance(content, str) else content[0]["text"]
    message: dict[str, Any] = {"role": "assistant"}
    if case == "refusal":
        message |= {"content": None, "refusal": LEAK}
    else:
        message["content"] = _text(case, body["response_format"]["json_schema"]["schema"], about)
    finish = "length" if case == "cut" else "stop"
    usage = {"prompt_tokens": 1000, "completion_tokens": 14, "cost": 0.000123}
    return {
        "id": "gen-1",
        "model": body["model"],
        "choices": [{"message": message, "finish_reason": finish}],
    } | _usage(case, usage, {"prompt_tokens": 1000})


def _decisions(case: str, body: dict[str, Any]) -> dict[str, Any]:
    value = _jev(case, body)
    if "usage" in value and case != "partial-usage":
        value["usage"]["cost"] = 0.000042
    return value | {"id": "gen-dec-1", "provider": "typesafe"}


REPLIES = {"jev": _jev, "openai": _openai, "chat": _chat, "decisions": _decisions}


if __name__ == "__main__":
    import sys

    served = Provider(delay_s=float(sys.argv[1]) if sys.argv[1:] else 0.0, keep=False)
    print(served.port, flush=True)
    threading.Event().wait()
