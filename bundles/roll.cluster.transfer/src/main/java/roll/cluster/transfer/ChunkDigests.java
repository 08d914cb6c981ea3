package roll.cluster.transfer;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.BitSet;

/** Digests of a version's chunks, which come one after another. SHA-256: processors compute it. */
final class ChunkDigests {
  /** Bytes of a digest. */
  static final int BYTES = 32;

  private final byte[] head;
  private final byte[] digests;
  private final BitSet known = new BitSet();
  private String failure = "";

  /** None of {@code chunks} yet; {@code head} is the manifest without them. */
  ChunkDigests(byte[] head, int chunks) {
    this.head = head;
    this.digests = new byte[chunks * BYTES];
  }

  /** A function that computes them; for one thread. */
  static MessageDigest function() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  byte[] head() {
    return head;
  }

  int chunks() {
    return digests.length / BYTES;
  }

  /** Digests of {@code some.length / BYTES} chunks from {@code first} on. */
  synchronized void set(int first, byte[] some) {
    System.arraycopy(some, 0, digests, first * BYTES, some.length);
    known.set(first, first + some.length / BYTES);
    notifyAll();
  }

  /** The ones that are not known will never be. */
  synchronized void fail(String why) {
    failure = why;
    notifyAll();
  }

  /**
   * Waits until that of {@code first} is known.
   *
   * @return those from {@code first} on that are known; none if it will never be
   */
  synchronized byte[] await(int first) throws InterruptedException {
    while (!known.get(first)) {
      if (!failure.isEmpty()) {
        return new byte[0];
      }
      wait();
    }
    return Arrays.copyOfRange(digests, first * BYTES, known.nextClearBit(first) * BYTES);
  }

  /** Why some will never be known; empty if they may be. */
  synchronized String failure() {
    return failure;
  }

  /** A copy: indices of the chunks whose digest is known. */
  synchronized BitSet known() {
    return (BitSet) known.clone();
  }

  synchronized boolean complete() {
    return known.cardinality() == chunks();
  }

  /** Whether that of {@code index} is {@code digest}. */
  synchronized boolean matches(int index, byte[] digest) {
    int at = index * BYTES;
    return Arrays.equals(digests, at, at + BYTES, digest, 0, BYTES);
  }

  /** Of the whole manifest; all are known. */
  synchronized byte[] all() {
    MessageDigest function = function();
    function.update(head);
    return function.digest(digests);
  }
}
