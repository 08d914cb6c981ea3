package roll.cluster.inference.weights;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.inference.codec.ByteReader;
import roll.cluster.inference.codec.ByteWriter;
import roll.decoder.DecoderParameters;

/** Weights by calls of the membership, in chunks, some under way at once. */
public final class CallTransfer implements WeightTransfer {
  private static final String TOPIC = "inference/weights";
  private static final int CHUNK = 4 << 20;
  private static final int UNDER_WAY = 4;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Membership membership;
  private final Map<Long, WeightImage> offers = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final Registration registration;

  /** Answers what other nodes pull. */
  public CallTransfer(Membership membership) {
    this.membership = membership;
    this.registration = membership.handle(TOPIC, (_, message) -> chunk(message));
  }

  @Override
  public WeightOffer offer(WeightImage image) {
    long number = numbers.incrementAndGet();
    offers.put(number, image);
    return new WeightOffer(number, image.spec(), image.version(), image.narrow());
  }

  @Override
  public void withdraw(WeightOffer offer) {
    offers.remove(offer.number());
  }

  private CompletableFuture<byte[]> chunk(byte[] message) {
    return ByteReader.read(
        message,
        in -> {
          long number = in.int64();
          WeightImage image = offers.get(number);
          if (image == null) {
            throw new IllegalStateException("weights " + number + " are not offered any more");
          }
          MemorySegment part = image.parts().get(in.int32());
          long first = in.int64();
          long size = Math.min(CHUNK, part.byteSize() - first);
          return CompletableFuture.completedFuture(
              part.asSlice(first, size).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
        });
  }

  private record Chunk(MemorySegment target, CompletableFuture<byte[]> bytes) {
    void await() throws InterruptedException {
      try {
        byte[] found = bytes.get();
        if (found.length != target.byteSize()) {
          throw new IllegalStateException(
              "a chunk of weights has " + found.length + " bytes, not " + target.byteSize());
        }
        target.copyFrom(MemorySegment.ofArray(found));
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException failure
            ? failure
            : new IllegalStateException(e.getCause());
      }
    }
  }

  @Override
  public WeightImage pull(Member from, WeightOffer offer, @Nullable WeightImage before)
      throws InterruptedException {
    boolean adapters =
        before != null
            && offer.spec().adapter() != null
            && before.spec().equals(offer.spec())
            && before.narrow() == offer.narrow();
    WeightImage image =
        WeightImage.empty(offer.spec(), offer.version(), offer.narrow(), adapters, before);
    Queue<Chunk> chunks = new ArrayDeque<>();
    try {
      for (int index = 0; index < image.parts().size(); index++) {
        if (!adapters || DecoderParameters.of(offer.spec()).get(index).adapts()) {
          MemorySegment part = image.parts().get(index);
          for (long first = 0; first < part.byteSize(); first += CHUNK) {
            if (chunks.size() == UNDER_WAY) {
              Objects.requireNonNull(chunks.poll()).await();
            }
            byte[] ask = new ByteWriter().int64(offer.number()).int32(index).int64(first).toBytes();
            chunks.add(
                new Chunk(
                    part.asSlice(first, Math.min(CHUNK, part.byteSize() - first)),
                    membership.call(from, TOPIC, ask, LIMIT)));
          }
        }
      }
      for (Chunk chunk = chunks.poll(); chunk != null; chunk = chunks.poll()) {
        chunk.await();
      }
    } finally {
      chunks.forEach(chunk -> chunk.bytes().cancel(true));
    }
    return image;
  }

  @Override
  public void close() {
    registration.close();
    offers.clear();
  }
}
