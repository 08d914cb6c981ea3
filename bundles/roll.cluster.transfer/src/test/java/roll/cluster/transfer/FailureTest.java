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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong while something is pulled. */
@Timeout(60)
class FailureTest {
  private static final int BYTES = 40 * Nodes.CHUNK + 77;

  private final List<MemorySegment> made = Collections.synchronizedList(new ArrayList<>());

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onlyWhatIsMissingIsAskedForAgain(boolean tls) throws Exception {
    try (Nodes nodes = new Nodes(tls)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      trainer.publish(manifest(1, BYTES, 3), VersionReader.of(bytes));
      try (FakeNode between = new FakeNode(trainer.address(), BYTES / 2, false);
          Pulled pulled =
              worker.pull(
                  atLeast(1),
                  new TransferPeer("trainer", between.address()),
                  List.of(),
                  m -> nodes.into(made, m))) {
        assertTrue(same(bytes, made.getFirst()));
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
      try (Pulled pulled =
          worker.pull(
              atLeast(1),
              peer("trainer", trainer),
              List.of(peer("liar", liar)),
              m -> nodes.into(made, m))) {
        assertTrue(same(bytes, made.getFirst()));
        assertTrue(pulled.report().again() >= 1);
      }
      String says =
          "node "
              + peer("liar", liar)
              + " sent wrong bytes for chunk 40 of actor_infer version 1 of epoch 0, which is asked"
              + " for elsewhere, and is asked for nothing more";
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
      try (FakeNode between = new FakeNode(stalls.address(), BYTES / 4, true);
          Pulled pulled =
              worker.pull(
                  atLeast(1),
                  peer("trainer", trainer),
                  List.of(new TransferPeer("stalls", between.address())),
                  m -> nodes.into(made, m))) {
        assertTrue(same(bytes, made.getFirst()));
        assertTrue(pulled.report().bytesFrom().get("trainer") > BYTES / 4);
        assertTrue(pulled.report().bytesFrom().get("stalls") > 0);
      }
    }
  }

  /** Its chunks may take longer than the pull waits for the first: it is left all the same. */
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
      Manifest manifest =
          new Manifest(
              new VersionId(Nodes.CHANNEL, 0, 1),
              List.of(new TransferPart("weight", "f32", 3L * chunk)),
              chunk);
      trainer.publish(manifest, VersionReader.of(bytes));
      parent.publish(manifest, VersionReader.of(bytes));
      try (FakeNode stopped = new FakeNode(parent.address(), 100, true);
          Pulled pulled =
              worker.pull(
                  atLeast(1),
                  peer("trainer", trainer),
                  List.of(new TransferPeer("parent", stopped.address())),
                  m -> nodes.into(made, m))) {
        assertTrue(same(bytes, made.getFirst()));
        assertEquals(Map.of("trainer", 3L * chunk), pulled.report().bytesFrom());
      }
    }
  }

  /** A parent that waits for a chunk itself says so, and is not left. */
  @Test
  void aParentThatWaitsForAChunkItselfIsKept() throws Exception {
    try (Nodes nodes = new Nodes(false)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(1 << 20, 1);
      Manifest manifest =
          new Manifest(
              new VersionId(Nodes.CHANNEL, 0, 1),
              List.of(new TransferPart("weight", "f32", 1L << 20)),
              1 << 20);
      trainer.publish(manifest, VersionReader.of(bytes));
      Publication coming = new Publication(manifest, VersionReader.of(bytes), false);
      VersionShelf shelf = new VersionShelf();
      shelf.add(coming);
      CompletableFuture.delayedExecutor(1500, TimeUnit.MILLISECONDS).execute(() -> coming.add(0));
      try (TransferServer parent = new TransferServer(nodes.place("parent"), shelf);
          Pulled pulled =
              pull(nodes, worker, trainer, List.of(new TransferPeer("parent", parent.address())))) {
        assertEquals(Map.of("parent", 1L << 20), pulled.report().bytesFrom());
        assertEquals(0, pulled.report().again());
      }
    }
  }

  /** A parent that ends in mid-pull: the rest comes from who is above it. */
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
      try (Pulled _ = pull(nodes, above, trainer, List.of())) {
        CompletableFuture<Pulled> pulling =
            CompletableFuture.supplyAsync(
                () -> pull(nodes, worker, trainer, List.of(parent, peer("above", above))));
        stopping.reached.await();
        lost.close(); // interrupts what reads
        try (Pulled pulled = pulling.get()) {
          assertTrue(same(bytes, made.getLast()));
          assertTrue(pulled.report().bytesFrom().get("lost") >= 19L * Nodes.CHUNK);
          assertTrue(pulled.report().bytesFrom().get("above") >= Nodes.CHUNK);
          assertFalse(pulled.report().bytesFrom().containsKey("trainer"));
        }
      }
    }
  }

  /** It was being pulled when it was replaced, and its owner could not wait. */
  @Test
  void theNewerVersionIsPulledIfTheOlderIsGone() throws Exception {
    try (Nodes nodes = new Nodes(true)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      StoppingReader third =
          new StoppingReader(VersionReader.of(nodes.bytes(BYTES, 1)), 14 * Nodes.CHUNK, 2);
      Publication old = trainer.publish(manifest(1, BYTES, 3), third);
      CompletableFuture<Pulled> pulling =
          CompletableFuture.supplyAsync(() -> pull(nodes, worker, trainer, List.of()));
      third.reached.await();
      MemorySegment newer = nodes.bytes(BYTES, 2);
      old.retire(Duration.ZERO);
      trainer.publish(manifest(2, BYTES, 3), VersionReader.of(newer));
      assertFalse(old.released().isDone());
      third.goOn.countDown();
      old.released().get();
      try (Pulled pulled = pulling.get()) {
        assertEquals(2, pulled.manifest().id().number());
        assertEquals(1, pulled.report().replaced());
        assertTrue(same(newer, made.getLast()));
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
      Publication old = trainer.publish(manifest(1, BYTES, 3), third);
      CompletableFuture<Pulled> pulling =
          CompletableFuture.supplyAsync(() -> pull(nodes, worker, trainer, List.of()));
      third.reached.await();
      trainer.publish(manifest(2, BYTES, 3), VersionReader.of(nodes.bytes(BYTES, 2)));
      third.goOn.countDown();
      try (Pulled pulled = pulling.get()) {
        assertEquals(1, pulled.manifest().id().number());
        assertTrue(same(older, made.getLast()));
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
      CompletableFuture<Pulled> pulling =
          CompletableFuture.supplyAsync(() -> pull(nodes, worker, trainer, List.of()));
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
                        return nodes.into(made, m);
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
      for (TransferPeer wrong : List.of(peer("somebody", trainer), peer("trainer", stranger))) {
        IOException e =
            assertThrows(
                IOException.class,
                () -> worker.pull(wanted, wrong, List.of(), m -> nodes.into(made, m)));
        assertTrue(e.getMessage().startsWith("no version of actor_infer from node " + wrong));
      }
      assertEquals(List.of(), made);
    }
  }

  private Pulled pull(
      Nodes nodes, TransferNode worker, TransferNode trainer, List<TransferPeer> peers) {
    try {
      return worker.pull(atLeast(1), peer("trainer", trainer), peers, m -> nodes.into(made, m));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }
}
