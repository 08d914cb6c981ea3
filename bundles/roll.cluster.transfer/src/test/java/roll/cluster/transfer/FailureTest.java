package roll.cluster.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong while something is pulled. */
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

  /** It was pulled to a third when it was replaced, and its owner could not wait. */
  @Test
  void theNewerVersionIsPulledIfTheOlderIsGone() throws Exception {
    try (Nodes nodes = new Nodes(true)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      CountDownLatch third = new CountDownLatch(14);
      CountDownLatch replaced = new CountDownLatch(1);
      Publication old =
          trainer.publish(manifest(1, BYTES, 3), VersionReader.of(nodes.bytes(BYTES, 1)));
      CompletableFuture<Pulled> pulling =
          CompletableFuture.supplyAsync(
              () -> pull(nodes, worker, trainer, new WaitingSink(third, replaced)));
      third.await();
      MemorySegment newer = nodes.bytes(BYTES, 2);
      old.retire(Duration.ZERO);
      trainer.publish(manifest(2, BYTES, 3), VersionReader.of(newer));
      replaced.countDown();
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
      CountDownLatch third = new CountDownLatch(14);
      CountDownLatch replaced = new CountDownLatch(1);
      MemorySegment older = nodes.bytes(BYTES, 1);
      Publication old = trainer.publish(manifest(1, BYTES, 3), VersionReader.of(older));
      CompletableFuture<Pulled> pulling =
          CompletableFuture.supplyAsync(
              () -> pull(nodes, worker, trainer, new WaitingSink(third, replaced)));
      third.await();
      trainer.publish(manifest(2, BYTES, 3), VersionReader.of(nodes.bytes(BYTES, 2)));
      replaced.countDown();
      try (Pulled pulled = pulling.get()) {
        assertEquals(1, pulled.manifest().id().number());
        assertTrue(same(older, made.getLast()));
      }
      old.released().get();
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

  private Pulled pull(Nodes nodes, TransferNode worker, TransferNode trainer, WaitingSink waiting) {
    try {
      return worker.pull(
          atLeast(1),
          peer("trainer", trainer),
          List.of(),
          m -> waiting.before(nodes.into(made, m)));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Counts chunks; when there are enough, the next ones wait for an event. */
  private record WaitingSink(CountDownLatch enough, CountDownLatch event) {
    ChunkSink before(ChunkSink sink) {
      return new ChunkSink() {
        @Override
        public MemorySegment place(long at, int length) {
          return sink.place(at, length);
        }

        @Override
        public void done(long at, MemorySegment bytes) {
          enough.countDown();
          if (enough.getCount() == 0) {
            try {
              event.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          sink.done(at, bytes);
        }
      };
    }
  }
}
