package roll.cluster.transfer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import roll.cluster.transfer.wire.Conduit;
import roll.cluster.transfer.wire.Sockets;
import roll.cluster.transfer.wire.TransferCodec;
import roll.cluster.transfer.wire.TransferMessage;
import roll.cluster.transfer.wire.TransferMessage.Absent;
import roll.cluster.transfer.wire.TransferMessage.AskChunks;
import roll.cluster.transfer.wire.TransferMessage.AskHeld;
import roll.cluster.transfer.wire.TransferMessage.AskManifest;
import roll.cluster.transfer.wire.TransferMessage.Chunk;
import roll.cluster.transfer.wire.TransferMessage.Complete;
import roll.cluster.transfer.wire.TransferMessage.Digests;
import roll.cluster.transfer.wire.TransferMessage.Head;
import roll.cluster.transfer.wire.TransferMessage.HeldChunks;
import roll.cluster.transfer.wire.TransferMessage.Hello;
import roll.cluster.transfer.wire.TransferMessage.Ping;
import roll.cluster.transfer.wire.TransferMessage.Reason;
import roll.cluster.transfer.wire.TransferMessage.Refused;
import roll.cluster.transfer.wire.TransferMessage.Welcome;

/** Answers one connection. */
final class PeerSession {
  /** The protocol of this node; both sides must have the same. */
  static final int PROTOCOL = 1;

  private static final int LONGEST_WAIT_MS = 5_000;
  private static final int DIGESTS_AT_ONCE = 4096;
  private static final int SCRATCH = 1 << 18;

  private final TransferPlace place;
  private final TransferListener listener;
  private final Conduit conduit;
  private final VersionShelf shelf;
  private final DigestThreads digests;
  private @Nullable HeldVersion pulled;

  PeerSession(
      TransferPlace place,
      TransferListener listener,
      Conduit conduit,
      VersionShelf shelf,
      DigestThreads digests) {
    this.place = place;
    this.listener = listener;
    this.conduit = conduit;
    this.shelf = shelf;
    this.digests = digests;
  }

  /** Until the other ends the connection, breaks the protocol or is silent for too long. */
  void run() {
    try {
      Duration limit = place.limits().greeting();
      Sockets.greet(conduit, limit);
      if (TransferCodec.read(conduit, TransferCodec.ASKED) instanceof Hello hello) {
        greeted(hello);
      }
    } catch (IOException e) {
      // who asked notices that the connection ended, and asks again if it wants
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void greeted(Hello hello) throws IOException, InterruptedException {
    String stranger = stranger(hello);
    if (stranger != null) {
      refuse(Reason.STRANGER, stranger);
      return;
    }
    boolean entered = listener.enter(conduit, hello.node());
    try (Arena arena = Arena.ofConfined()) {
      if (!entered) {
        refuse(Reason.STRANGER, "there are " + place.limits().perNode() + " connections already");
        return;
      }
      TransferCodec.write(conduit, new Welcome(place.node()));
      MemorySegment scratch = arena.allocate(SCRATCH);
      while (true) {
        conduit.expect(place.limits().idle());
        TransferMessage asked = TransferCodec.read(conduit, TransferCodec.ASKED);
        conduit.expect(place.limits().silence());
        answer(asked, scratch);
      }
    } finally {
      listener.leave(hello.node());
      end();
    }
  }

  private @Nullable String stranger(Hello hello) {
    if (hello.protocol() != PROTOCOL) {
      return "it speaks protocol " + PROTOCOL + " and not " + hello.protocol();
    }
    if (!hello.run().equals(place.run())) {
      return "it is of another run";
    }
    String certified = conduit.certified();
    if (certified != null && !certified.equals(hello.node())) {
      return "the certificate is of " + certified + " and not of " + hello.node();
    }
    return null;
  }

  private void answer(TransferMessage asked, MemorySegment scratch)
      throws IOException, InterruptedException {
    try {
      switch (asked) {
        case AskManifest ask -> manifest(ask);
        case AskChunks ask -> chunks(ask, scratch);
        case AskHeld ask -> present(ask);
        case Ping() -> {}
        default -> throw new IOException("a message that nobody asked for: " + asked);
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void manifest(AskManifest ask) throws IOException, InterruptedException {
    end();
    HeldVersion held = offered(ask);
    if (held == null) {
      boolean stale = ask.epoch() < shelf.epoch();
      refuse(
          stale ? Reason.STALE : Reason.NONE,
          stale
              ? "it is in epoch " + shelf.epoch() + " and not in " + ask.epoch()
              : "it has no such version");
      return;
    }
    pulled = held;
    if (held.begin()) {
      digests.compute(held);
    }
    ChunkDigests known = held.digests();
    TransferCodec.write(conduit, new Head(known.head()));
    digests(known);
  }

  private void digests(ChunkDigests known) throws IOException, InterruptedException {
    for (int next = 0; next < known.chunks(); ) {
      conduit.rest();
      byte[] some = known.await(next);
      if (some.length == 0) {
        refuse(Reason.GONE, known.failure());
        return;
      }
      int bytes = Math.min(some.length, DIGESTS_AT_ONCE * ChunkDigests.BYTES);
      conduit.expect(place.limits().silence());
      TransferCodec.write(conduit, new Digests(next, Arrays.copyOf(some, bytes)));
      next += bytes / ChunkDigests.BYTES;
    }
    TransferCodec.write(conduit, new Complete(known.all()));
  }

  private @Nullable HeldVersion offered(AskManifest ask) throws InterruptedException {
    conduit.rest();
    long wait = Math.clamp(ask.waitMillis(), 0, LONGEST_WAIT_MS);
    HeldVersion held = shelf.await(ask.channel(), ask.epoch(), ask.atLeast(), wait);
    conduit.expect(place.limits().silence());
    return held != null && held.pull(conduit) ? held : null;
  }

  private void present(AskHeld ask) throws IOException, InterruptedException {
    VersionId id = new VersionId(ask.channel(), ask.epoch(), ask.number());
    int wait = Math.clamp(ask.waitMillis(), 0, LONGEST_WAIT_MS);
    conduit.rest();
    HeldVersion held = shelf.find(id, wait);
    if (held == null) {
      refuse(Reason.NONE, "it has no such version");
      return;
    }
    long enough = (long) Math.max(0, ask.known()) + Math.max(0, ask.least());
    byte[] bits = held.present(enough, wait);
    conduit.expect(place.limits().silence());
    TransferCodec.write(conduit, new HeldChunks(bits));
  }

  private void chunks(AskChunks ask, MemorySegment scratch) throws IOException {
    HeldVersion held = shelf.find(new VersionId(ask.channel(), ask.epoch(), ask.number()));
    boolean admitted = held != null && held.admit();
    try {
      chunks(held, admitted, ask.ranges(), scratch);
    } finally {
      if (held != null && admitted) {
        held.dismiss();
      }
    }
  }

  private void chunks(
      @Nullable HeldVersion held, boolean admitted, int[] ranges, MemorySegment scratch)
      throws IOException {
    for (int i = 0; i < ranges.length; i += 2) {
      for (int k = 0; k < ranges[i + 1]; k++) {
        if (held == null || !held.use(conduit)) {
          refuse(Reason.GONE, "it has that version no more");
          return;
        }
        try {
          chunk(held, admitted, (long) ranges[i] + k, scratch);
        } finally {
          held.unuse(conduit);
        }
      }
    }
  }

  private void chunk(HeldVersion held, boolean admitted, long number, MemorySegment scratch)
      throws IOException {
    if (number < 0 || number >= held.manifest().chunks()) {
      throw new IOException("there is no chunk " + number);
    }
    int index = (int) number;
    if (!admitted || !held.has(index)) {
      TransferCodec.write(conduit, new Absent(index));
      return;
    }
    TransferCodec.write(conduit, new Chunk(index, held.manifest().length(index)));
    held.read(index, scratch, conduit::write);
  }

  private void refuse(Reason reason, String why) throws IOException {
    conduit.expect(place.limits().silence());
    TransferCodec.write(conduit, new Refused(reason, why));
  }

  /** The version of the last manifest is not pulled any more. */
  private void end() {
    if (pulled != null) {
      pulled.end(conduit);
      pulled = null;
    }
  }
}
