package roll.cluster.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.cluster.transfer.Nodes.manifest;
import static roll.cluster.transfer.Nodes.peer;
import static roll.cluster.transfer.Nodes.same;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.cluster.testkit.TcpRelay;

@Timeout(60)
class VersionPullTest {
  private static final int BYTES = 40 * Nodes.CHUNK + 77;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsPulledIsWhatWasPublished(boolean tls) throws Exception {
    try (Nodes nodes = new Nodes(tls)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      VersionReader pieces =
          (at, scratch) -> bytes.asSlice(at, Math.min(at < 5 ? 5 - at : 999, BYTES - at));
      trainer.publish(manifest(3, BYTES, 7), inScratch(pieces));
      try (PulledVersion pulled = nodes.pull(worker, trainer, 0, List.of())) {
        assertTrue(same(bytes, nodes.received.getFirst()));
        assertEquals(manifest(3, BYTES, 7).parts(), pulled.manifest().parts());
        assertEquals(new VersionId(Nodes.CHANNEL, 0, 3), pulled.manifest().id());
        assertEquals(Map.of("trainer", (long) BYTES), pulled.report().bytesFrom());
        assertEquals(0, pulled.report().again());
      }
      assertEquals(List.of(), nodes.notices);
    }
  }

  @Test
  void chunksAreAboutAsManyHoweverLargeAVersionIs() {
    for (long bytes = 1 << 27; bytes <= 1L << 31; bytes <<= 1) {
      TransferPart part = new TransferPart("weight", "f32", bytes);
      assertEquals(128, new VersionManifest(new VersionId("w", 0, 0), List.of(part)).chunks());
    }
  }

  /** Each of a thousand nodes sends at most two copies, and has at most nine nodes above it. */
  @Test
  void nodesFormATree() {
    List<TransferPeer> all = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      all.add(new TransferPeer("n" + i, new InetSocketAddress(i + 1)));
    }
    Map<TransferPeer, Integer> copies = new HashMap<>();
    int fromOrigin = 0;
    for (TransferPeer own : all) {
      List<TransferPeer> above = TransferPeer.above(all, own);
      assertTrue(above.size() <= 9, own + ": " + above.size());
      above.forEach(peer -> assertTrue(all.indexOf(peer) < all.indexOf(own)));
      if (above.isEmpty()) {
        fromOrigin++;
      } else {
        assertEquals(TransferPeer.above(all, above.getFirst()), above.subList(1, above.size()));
        copies.merge(above.getFirst(), 1, Integer::sum);
      }
    }
    assertEquals(1, fromOrigin);
    assertTrue(copies.values().stream().allMatch(count -> count <= 2));
  }

  @Test
  void aVersionIsWaitedFor() throws Exception {
    try (Nodes nodes = new Nodes(true)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(BYTES, 2);
      trainer.publish(manifest(1, BYTES, 1), VersionReader.of(nodes.bytes(BYTES, 1)));
      CompletableFuture<PulledVersion> waiting =
          CompletableFuture.supplyAsync(() -> nodes.pull(worker, trainer, 2, List.of()));
      Awaitility.await().during(Duration.ofMillis(200)).until(() -> !waiting.isDone());
      trainer.publishCopy(manifest(2, BYTES, 1), BYTES, VersionReader.of(bytes), VersionReader::of);
      try (PulledVersion pulled = waiting.get()) {
        assertEquals(2, pulled.manifest().id().number());
        assertTrue(same(bytes, nodes.received.getFirst()));
      }
    }
  }

  @Test
  void aReceiverServesWhatItHas() throws Exception {
    try (Nodes nodes = new Nodes(true)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode first = nodes.open("first");
      TransferNode second = nodes.open("second");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      trainer.publish(manifest(1, BYTES, 4), VersionReader.of(bytes));
      try (PulledVersion one = nodes.pull(first, trainer, 1, List.of());
          PulledVersion two = nodes.pull(second, trainer, 1, List.of(peer("first", first)))) {
        assertEquals(BYTES, one.report().bytesFrom().get("trainer"));
        long relayed = two.report().bytesFrom().get("first");
        assertTrue(relayed > BYTES * 3L / 4, relayed + " of " + BYTES);
        assertTrue(same(bytes, nodes.received.get(1)));
      }
    }
  }

  /** Seven nodes pull concurrently. */
  @Test
  void theOriginSendsLittleHoweverManyThereAre() throws Exception {
    try (Nodes nodes = new Nodes(false, TransferLimits.standard())) {
      TransferNode trainer = nodes.open("trainer");
      List<TransferNode> workers = new ArrayList<>();
      List<TransferPeer> all = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        workers.add(nodes.open("worker-" + i));
        all.add(peer("worker-" + i, workers.get(i)));
      }
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      trainer.publish(manifest(1, BYTES, 4), VersionReader.of(bytes));
      List<CompletableFuture<PulledVersion>> pulls = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        TransferNode worker = workers.get(i);
        List<TransferPeer> above = TransferPeer.above(all, all.get(i));
        pulls.add(
            CompletableFuture.supplyAsync(
                () -> nodes.pull(worker, trainer, 1, above), Thread::startVirtualThread));
      }
      Map<String, Long> sent = new HashMap<>();
      for (CompletableFuture<PulledVersion> pull : pulls) {
        pull.get().report().bytesFrom().forEach((node, n) -> sent.merge(node, n, Long::sum));
      }
      nodes.received.forEach(memory -> assertTrue(same(bytes, memory)));
      assertEquals(7L * BYTES, sent.values().stream().mapToLong(n -> n).sum());
      assertTrue(sent.get("trainer") < 2 * BYTES, sent.toString());
      sent.forEach((node, n) -> assertTrue(n <= 2L * BYTES + 2 * Nodes.CHUNK, sent.toString()));
      for (CompletableFuture<PulledVersion> pull : pulls) {
        pull.get().close();
      }
    }
  }

  /** Received chunks are served before the version is complete. */
  @Test
  void aReceiverPassesOnWhatHasCome() throws Exception {
    try (Nodes nodes = new Nodes(true, TransferLimits.standard())) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode first = nodes.open("first");
      TransferNode second = nodes.open("second");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      StoppingReader stopping = new StoppingReader(VersionReader.of(bytes), 30 * Nodes.CHUNK, 2);
      trainer.publish(manifest(1, BYTES, 4), stopping);
      CompletableFuture<PulledVersion> one =
          CompletableFuture.supplyAsync(() -> nodes.pull(first, trainer, 1, List.of()));
      stopping.reached.await();
      try (TcpRelay between = new TcpRelay(first.address(), Long.MAX_VALUE, false)) {
        List<TransferPeer> above = List.of(new TransferPeer("first", between.address()));
        CompletableFuture<PulledVersion> two =
            CompletableFuture.supplyAsync(() -> nodes.pull(second, trainer, 1, above));
        Awaitility.await().until(() -> between.passed() >= 25 * Nodes.CHUNK);
        assertFalse(one.isDone());
        stopping.goOn.countDown();
        assertTrue(two.get().report().bytesFrom().get("first") > BYTES / 2);
        two.get().close();
        one.get().close();
      }
      nodes.received.forEach(memory -> assertTrue(same(bytes, memory)));
    }
  }

  /** All digests take longer than a pull waits for one. */
  @Test
  void digestsComeAsTheyAreComputed() throws Exception {
    try (Nodes nodes = new Nodes(false)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      VersionReader inMemory = VersionReader.of(bytes);
      ReentrantLock one = new ReentrantLock(true);
      Set<Long> computed = new HashSet<>();
      VersionReader slow =
          (at, scratch) -> {
            one.lock();
            try {
              if (computed.add(at)) {
                Thread.sleep(75);
              }
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            } finally {
              one.unlock();
            }
            return inMemory.read(at, scratch);
          };
      long begun = System.nanoTime();
      trainer.publish(manifest(1, BYTES, 4), slow);
      try (PulledVersion _ = nodes.pull(worker, trainer, 1, List.of())) {
        assertTrue(same(bytes, nodes.received.getFirst()));
        assertTrue(System.nanoTime() - begun > Nodes.LIMITS.patience().toNanos());
      }
    }
  }

  @Test
  void anOlderEpochIsRefused() throws Exception {
    try (Nodes nodes = new Nodes(true)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      PublishedVersion old =
          trainer.publish(manifest(1, BYTES, 1), VersionReader.of(nodes.bytes(BYTES, 1)));
      trainer.publish(manifest(1, 0, BYTES, 1), VersionReader.of(nodes.bytes(BYTES, 2)));
      old.released().get();
      IllegalStateException e =
          assertThrows(
              IllegalStateException.class, () -> nodes.pull(worker, trainer, 0, List.of()));
      String says =
          "no version of actor_infer from node "
              + peer("trainer", trainer)
              + ": it refuses: it is in epoch 1 and not in 0";
      assertEquals(says, e.getMessage());
      Exception late =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  trainer.publish(manifest(2, BYTES, 1), VersionReader.of(nodes.bytes(BYTES, 1))));
      assertEquals(
          "actor_infer version 2 of epoch 0 came after actor_infer version 0 of epoch 1",
          late.getMessage());
    }
  }

  @Test
  void nobodyHasIt() throws Exception {
    try (Nodes nodes = new Nodes(true)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      VersionId.Wanted wanted = new VersionId.Wanted("critic", 0, 0, Duration.ofMillis(300));
      IOException e =
          assertThrows(
              IOException.class,
              () -> worker.pull(wanted, peer("trainer", trainer), List.of(), nodes::memory));
      String says =
          "no version of critic from node "
              + peer("trainer", trainer)
              + ": it refuses: it has no such version";
      assertEquals(says, e.getMessage());
    }
  }

  private static VersionReader inScratch(VersionReader reader) {
    return (at, scratch) -> {
      MemorySegment some = reader.read(at, scratch);
      long most = Math.min(some.byteSize(), scratch.byteSize());
      return scratch.asSlice(0, most).copyFrom(some.asSlice(0, most));
    };
  }
}
