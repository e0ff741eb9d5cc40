# SPDX-License-Identifier: GPL-2.0-only
"""Trains a small transformer over two processes, one pipeline stage each, as GPipe does: all
microbatches forward, then all backward. Activations and gradients go over TCP (PyTorch's gloo).
Receives are posted ahead, since gloo sends nothing before its peer has said that it waits for it.
Prints one JSON line per rank: seconds of the last iteration, its computations' seconds, and the loss.

    RANK=0 MASTER_ADDR=ADDRESS_OF_RANK_0 GLOO_SOCKET_IFNAME=eth0 python3 pipeline.py
"""

import json
import os
import time

import torch
import torch.distributed as distributed

HIDDEN = int(os.environ.get("HIDDEN", "256"))
SEQUENCE = int(os.environ.get("SEQUENCE", "128"))
MICROBATCHES = int(os.environ.get("MICROBATCHES", "8"))
ITERATIONS = int(os.environ.get("ITERATIONS", "3"))


class Times:
    """Adds up how long computations take."""

    def __init__(self):
        self.seconds = {"forward": 0.0, "backward": 0.0}

    def of(self, kind, work):
        begin = time.monotonic()
        result = work()
        self.seconds[kind] += time.monotonic() - begin
        return result


def make_stage():
    layer = torch.nn.TransformerEncoderLayer(
        HIDDEN, nhead=4, dim_feedforward=4 * HIDDEN, dropout=0.0, batch_first=True
    )
    return torch.nn.TransformerEncoder(layer, num_layers=2)


def receive_ahead(src):
    """Returns a buffer and a pending receive for each microbatch, in order."""
    buffers = [torch.empty(1, SEQUENCE, HIDDEN) for _ in range(MICROBATCHES)]
    return [(buffer, distributed.irecv(buffer, src=src)) for buffer in buffers]


def first_stage(stage, times):
    """Returns None: the loss is the other stage's."""
    gradients = receive_ahead(src=1)
    outputs = []
    sends = []
    for _ in range(MICROBATCHES):
        tokens = torch.randn(1, SEQUENCE, HIDDEN)
        outputs.append(times.of("forward", lambda: stage(tokens)))
        sends.append(distributed.isend(outputs[-1].detach(), dst=1))
    for output, (gradient, received) in zip(outputs, gradients):
        received.wait()
        times.of("backward", lambda: output.backward(gradient))
    for send in sends:
        send.wait()


def last_stage(stage, times):
    losses = []
    inputs = []
    sends = []
    for activation, received in receive_ahead(src=0):
        received.wait()
        activation.requires_grad_()
        inputs.append(activation)
        losses.append(times.of("forward", lambda: stage(activation).square().mean()))
    for loss, activation in zip(losses, inputs):
        times.of("backward", loss.backward)
        sends.append(distributed.isend(activation.grad, dst=0))
    for send in sends:
        send.wait()
    return sum(loss.item() for loss in losses) / MICROBATCHES


def main():
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rank = int(os.environ["RANK"])
    os.environ.setdefault("MASTER_PORT", "29500")
    distributed.init_process_group("gloo", rank=rank, world_size=2)
    stage = make_stage()
    optimizer = torch.optim.SGD(stage.parameters(), lr=0.01)
    step = first_stage if rank == 0 else last_stage
    for _ in range(ITERATIONS):
        distributed.barrier()
        times = Times()
        begin = time.monotonic()
        loss = step(stage, times)
        optimizer.step()
        optimizer.zero_grad()
        seconds = time.monotonic() - begin
    print(
        json.dumps(
            {
                "rank": rank,
                "iteration_s": seconds,
                "forward_s": times.seconds["forward"] / MICROBATCHES,
                "backward_s": times.seconds["backward"] / MICROBATCHES,
                "message_bytes": 4 * SEQUENCE * HIDDEN,
                "loss": loss,
            }
        )
    )


if __name__ == "__main__":
    main()
