"""Checks that lottery tickets belong to a block that was published before its sale.

    python3 check-proof.py commitment.json ticket-1234.proof

commitment.json must come from where it was published, not from whoever gave you the proofs (one a line).
Exit code 0: every proof holds. 1: one does not, or there is none. The rules are in docs/specification.md.
"""
import hashlib
import json
import re
import sys


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def hash_in(text: str) -> bytes:
    return bytes.fromhex(re.fullmatch("[0-9a-f]{64}", text)[0])


def refuse(*_):
    raise ValueError("no proof that holds")


def proved(line: bytes, published: dict) -> str:
    # Of two equal keys the last would win.
    once = lambda pairs: dict(pairs) if len(dict(pairs)) == len(pairs) else refuse()
    proof = json.loads(line.decode(), object_pairs_hook=once, parse_float=refuse, parse_constant=refuse)
    block, record, ticket, tickets = (proof[key] for key in ("block", "record", "ticket", "tickets"))
    if block != published["block"] or tickets != published["tickets"] or proof["format"] != "gen-block-proof/1":
        refuse()
    if not record.startswith('{"ticket":%s,' % ticket) or "\n" in record or not 1 <= ticket <= tickets:
        refuse()
    node = sha256(b"\x00", hash_in(proof["salt"]), f"{block}\n{record}".encode())
    path, index, last = list(map(hash_in, proof["path"])), ticket - 1, tickets - 1
    while last > 0:
        if index % 2 == 1:
            node = sha256(b"\x01", path.pop(0), node)
        elif index < last:
            node = sha256(b"\x01", node, path.pop(0))
        index, last = index // 2, last // 2
    return record if not path and node.hex() == published["tickets_root"] else refuse()


def main(commitment_file: str, proofs_file: str) -> int:
    published, right, wrong = json.load(open(commitment_file, encoding="utf-8")), 0, 0
    for number, line in enumerate(open(proofs_file, "rb"), 1):
        try:
            if line != b"\n":
                print("proved:", proved(line, published))
                right += 1
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
            print("NOT PROVED: line", number)
            wrong += 1
    return 0 if right and not wrong else 1


sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 3 else __doc__)
