"""Checks that lottery tickets belong to a block that was published before its sale.

    python3 check-proof.py commitment.json ticket-1234.proof

commitment.json must come from where it was published, not from whoever gave you the proofs (one a line).
Exit code 0: every proof holds. 1: one does not. The rules are in section 8 of docs/specification.md.
"""
import hashlib
import json
import sys


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def root_of(proof: dict) -> bytes:
    text = f"{proof['block']}\n{proof['record']}".encode()
    node = sha256(b"\x00" + bytes.fromhex(proof["salt"]) + text)
    path = [bytes.fromhex(step) for step in proof["path"]]
    index, last = proof["ticket"] - 1, proof["tickets"] - 1
    if not 0 <= index <= last or any(len(step) != 32 for step in path):
        raise ValueError("no such ticket, or no such path")
    while last > 0:
        if index % 2 == 1:
            node = sha256(b"\x01" + path.pop(0) + node)
        elif index < last:
            node = sha256(b"\x01" + node + path.pop(0))
        index, last = index // 2, last // 2
    if path:
        raise ValueError("the path is too long")
    return node


def holds(proof: dict, commitment: dict) -> bool:
    return (
        proof["block"] == commitment["block"]
        and proof["tickets"] == commitment["tickets"]
        and json.loads(proof["record"])["ticket"] == proof["ticket"]
        and root_of(proof).hex() == commitment["tickets_root"]
    )


def main(commitment_file: str, proofs_file: str) -> int:
    with open(commitment_file, encoding="utf-8") as file:
        commitment = json.load(file)
    wrong = 0
    with open(proofs_file, encoding="utf-8") as file:
        for proof in map(json.loads, file):
            try:
                right = holds(proof, commitment)
            except (LookupError, TypeError, ValueError):
                right = False
            wrong += not right
            print("proved:" if right else "NOT PROVED:", proof["record"])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 3 else __doc__)
