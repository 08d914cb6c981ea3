package roll.cluster.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.cluster.transfer.Nodes.atLeast;
import static roll.cluster.transfer.Nodes.manifest;
import static roll.cluster.transfer.Nodes.peer;
import static roll.cluster.transfer.Nodes.same;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.cluster.testkit.TcpRelay;

/** Failures during a pull. */
@Timeout(60)
class FailureTest {
  private static final int BYTES = 40 * Nodes.CHUNK + 77;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onlyWhatIsMissingIsAskedForAgain(boolean tls) throws Exception {
    try (Nodes nodes = new Nodes(tls)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      trainer.publish(manifest(1, BYTES, 3), VersionReader.of(bytes));
      try (TcpRelay between = new TcpRelay(trainer.address(), BYTES / 2, false);
          PulledVersion pulled =
              worker.pull(
                  atLeast(1),
                  new TransferPeer("trainer", between.address()),
                  List.of(),
                  nodes::memory)) {
        assertTrue(same(bytes, nodes.received.getFirst()));
        int again = pulled.report().again();
        assertTrue(again >= 1 && again <= 20, "asked again for " + again);
      }
    }
  }

  @Test
  void whoeverSendsWrongBytesIsNamedAndNotAskedAgain() throws Exception {
    try (Nodes nodes = new Nodes(true)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode liar = nodes.open("liar");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      trainer.publish(manifest(1, BYTES, 3), VersionReader.of(bytes));
      liar.publish(manifest(1, BYTES, 3), VersionReader.of(nodes.spoiled(bytes, BYTES - 1)));
      try (PulledVersion pulled =
          worker.pull(
              atLeast(1), peer("trainer", trainer), List.of(peer("liar", liar)), nodes::memory)) {
        assertTrue(same(bytes, nodes.received.getFirst()));
        assertTrue(pulled.report().again() >= 1);
      }
      String says =
          "node "
              + peer("liar", liar)
              + " sent wrong bytes for chunk 40 of actor_infer version 1 of epoch 0; another"
              + " node is asked for it, and this one for nothing more";
      assertEquals(List.of(says), nodes.notices);
    }
  }

  @Test
  void whoeverIsSilentIsLeft() throws Exception {
    try (Nodes nodes = new Nodes(false)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode stalls = nodes.open("stalls");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      trainer.publish(manifest(1, BYTES, 3), VersionReader.of(bytes));
      stalls.publish(manifest(1, BYTES, 3), VersionReader.of(bytes));
      try (TcpRelay between = new TcpRelay(stalls.address(), BYTES / 4, true);
          PulledVersion pulled =
              worker.pull(
                  atLeast(1),
                  peer("trainer", trainer),
                  List.of(new TransferPeer("stalls", between.address())),
                  nodes::memory)) {
        assertTrue(same(bytes, nodes.received.getFirst()));
        assertTrue(pulled.report().bytesFrom().get("trainer") > BYTES / 4);
        assertTrue(pulled.report().bytesFrom().get("stalls") > 0);
      }
    }
  }

  /** The time limit of a chunk is longer than that for the first answer. */
  @Test
  void aParentThatIsSilentFromTheFirstChunkOnIsLeft() throws Exception {
    TransferLimits limits =
        new TransferLimits(Duration.ofSeconds(1), Duration.ofMillis(200), Duration.ofSeconds(5));
    int chunk = 1 << 20;
    try (Nodes nodes = new Nodes(false, limits)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode parent = nodes.open("parent");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(3 * chunk, 1);
      VersionManifest manifest =
          new VersionManifest(
              new VersionId(Nodes.CHANNEL, 0, 1),
              List.of(new TransferPart("weight", "f32", 3L * chunk)),
              chunk);
      trainer.publish(manifest, VersionReader.of(bytes));
      parent.publish(manifest, VersionReader.of(bytes));
      try (TcpRelay stopped = new TcpRelay(parent.address(), 100, true);
          PulledVersion pulled =
              worker.pull(
                  atLeast(1),
                  peer("trainer", trainer),
                  List.of(new TransferPeer("parent", stopped.address())),
                  nodes::memory)) {
        assertTrue(same(bytes, nodes.received.getFirst()));
        assertEquals(Map.of("trainer", 3L * chunk), pulled.report().bytesFrom());
      }
    }
  }

  /** A parent that still waits for a chunk delays its answer, and is kept. */
  @Test
  void aParentThatWaitsForAChunkItselfIsKept() throws Exception {
    try (Nodes nodes = new Nodes(false)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(1 << 20, 1);
      VersionManifest manifest =
          new VersionManifest(
              new VersionId(Nodes.CHANNEL, 0, 1),
              List.of(new TransferPart("weight", "f32", 1L << 20)),
              1 << 20);
      trainer.publish(manifest, VersionReader.of(bytes));
      PublishedVersion coming = new PublishedVersion(manifest, VersionReader.of(bytes), false);
      VersionStore versions = new VersionStore();
      versions.add(coming);
      CompletableFuture.delayedExecutor(1500, TimeUnit.MILLISECONDS).execute(() -> coming.add(0));
      try (TransferServer parent = new TransferServer(nodes.config("parent"), versions);
          PulledVersion pulled =
              nodes.pull(
                  worker, trainer, 1, List.of(new TransferPeer("parent", parent.address())))) {
        assertEquals(Map.of("parent", 1L << 20), pulled.report().bytesFrom());
        assertEquals(0, pulled.report().again());
      }
    }
  }

  /** When a parent ends during a pull, the rest comes from the node above it. */
  @Test
  void whereANodeIsLostTheNextAboveIsAsked() throws Exception {
    try (Nodes nodes = new Nodes(true, TransferLimits.standard())) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode above = nodes.open("above");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      trainer.publish(manifest(1, BYTES, 3), VersionReader.of(bytes));
      TransferNode lost = nodes.open("lost");
      StoppingReader stopping = new StoppingReader(VersionReader.of(bytes), 20 * Nodes.CHUNK, 1);
      lost.publish(manifest(1, BYTES, 3), stopping);
      TransferPeer parent = peer("lost", lost);
      try (PulledVersion _ = nodes.pull(above, trainer, 1, List.of())) {
        CompletableFuture<PulledVersion> pulling =
            CompletableFuture.supplyAsync(
                () -> nodes.pull(worker, trainer, 1, List.of(parent, peer("above", above))));
        stopping.reached.await();
        lost.close(); // interrupts what reads
        try (PulledVersion pulled = pulling.get()) {
          assertTrue(same(bytes, nodes.received.getLast()));
          assertTrue(pulled.report().bytesFrom().get("lost") >= 19L * Nodes.CHUNK);
          assertTrue(pulled.report().bytesFrom().get("above") >= Nodes.CHUNK);
          assertFalse(pulled.report().bytesFrom().containsKey("trainer"));
        }
      }
    }
  }

  /** The version is replaced and retired while it is pulled. */
  @Test
  void theNewerVersionIsPulledIfTheOlderIsGone() throws Exception {
    try (Nodes nodes = new Nodes(true)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      StoppingReader third =
          new StoppingReader(VersionReader.of(nodes.bytes(BYTES, 1)), 14 * Nodes.CHUNK, 2);
      PublishedVersion old = trainer.publish(manifest(1, BYTES, 3), third);
      CompletableFuture<PulledVersion> pulling =
          CompletableFuture.supplyAsync(() -> nodes.pull(worker, trainer, 1, List.of()));
      third.reached.await();
      MemorySegment newer = nodes.bytes(BYTES, 2);
      old.retire(Duration.ZERO);
      trainer.publish(manifest(2, BYTES, 3), VersionReader.of(newer));
      assertFalse(old.released().isDone());
      third.goOn.countDown();
      old.released().get();
      try (PulledVersion pulled = pulling.get()) {
        assertEquals(2, pulled.manifest().id().number());
        assertEquals(1, pulled.report().replaced());
        assertTrue(same(newer, nodes.received.getLast()));
      }
    }
  }

  @Test
  void theOlderVersionIsPulledToItsEndIfItIsKept() throws Exception {
    try (Nodes nodes = new Nodes(true)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      MemorySegment older = nodes.bytes(BYTES, 1);
      StoppingReader third = new StoppingReader(VersionReader.of(older), 14 * Nodes.CHUNK, 2);
      PublishedVersion old = trainer.publish(manifest(1, BYTES, 3), third);
      CompletableFuture<PulledVersion> pulling =
          CompletableFuture.supplyAsync(() -> nodes.pull(worker, trainer, 1, List.of()));
      third.reached.await();
      trainer.publish(manifest(2, BYTES, 3), VersionReader.of(nodes.bytes(BYTES, 2)));
      third.goOn.countDown();
      try (PulledVersion pulled = pulling.get()) {
        assertEquals(1, pulled.manifest().id().number());
        assertTrue(same(older, nodes.received.getLast()));
      }
      old.released().get();
    }
  }

  @Test
  void aNodeThatEndsFailsItsPull() throws Exception {
    try (Nodes nodes = new Nodes(true)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      StoppingReader third = new StoppingReader(VersionReader.of(bytes), 14 * Nodes.CHUNK, 2);
      trainer.publish(manifest(1, BYTES, 3), third);
      CompletableFuture<PulledVersion> pulling =
          CompletableFuture.supplyAsync(() -> nodes.pull(worker, trainer, 1, List.of()));
      third.reached.await();
      worker.close();
      ExecutionException e = assertThrows(ExecutionException.class, pulling::get);
      assertTrue(e.getMessage().endsWith("this node has ended it"), e.getMessage());
      third.goOn.countDown();
    }
  }

  /** Between the manifest and the first chunk. */
  @Test
  void aNodeThatEndsBeforeItHasMemoryFailsItsPull() throws Exception {
    try (Nodes nodes = new Nodes(false)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      trainer.publish(manifest(1, BYTES, 3), VersionReader.of(nodes.bytes(BYTES, 1)));
      IOException e =
          assertThrows(
              IOException.class,
              () ->
                  worker.pull(
                      atLeast(1),
                      peer("trainer", trainer),
                      List.of(),
                      m -> {
                        worker.close();
                        return nodes.memory(m);
                      }));
      assertTrue(String.valueOf(e.getMessage()).endsWith("this node has ended it"), e.getMessage());
    }
  }

  @Test
  void aNodeThatIsSomebodyElseIsRefused() throws Exception {
    try (Nodes nodes = new Nodes(true);
        Nodes strangers = new Nodes(true)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      TransferNode stranger = strangers.open("trainer");
      trainer.publish(manifest(1, BYTES, 3), VersionReader.of(nodes.bytes(BYTES, 1)));
      VersionId.Wanted wanted = new VersionId.Wanted(Nodes.CHANNEL, 0, 0, Duration.ZERO);
      for (TransferPeer wrong : List.of(peer("other", trainer), peer("trainer", stranger))) {
        IOException e =
            assertThrows(
                IOException.class, () -> worker.pull(wanted, wrong, List.of(), nodes::memory));
        assertTrue(e.getMessage().startsWith("no version of actor_infer from node " + wrong));
      }
      assertEquals(List.of(), nodes.received);
    }
  }
}
