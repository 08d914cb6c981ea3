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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PullTest {
  private static final int BYTES = 40 * Nodes.CHUNK + 77;

  private final List<MemorySegment> made = Collections.synchronizedList(new ArrayList<>());

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsPulledIsWhatWasPublished(boolean tls) throws Exception {
    try (Nodes nodes = new Nodes(tls)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      List<MemorySegment> tensors =
          List.of(bytes.asSlice(0, 5), bytes.asSlice(5, 0), bytes.asSlice(5));
      trainer.publish(manifest(3, BYTES, 7), VersionReader.of(tensors));
      try (Pulled pulled = pull(nodes, worker, trainer, 0, List.of())) {
        assertTrue(same(bytes, made.getFirst()));
        assertEquals(manifest(3, BYTES, 7).parts(), pulled.manifest().parts());
        assertEquals(new VersionId(Nodes.CHANNEL, 0, 3), pulled.manifest().id());
        assertEquals(Map.of("trainer", (long) BYTES), pulled.report().bytesFrom());
        assertEquals(0, pulled.report().again());
      }
      assertEquals(List.of(), nodes.notices);
    }
  }

  @Test
  void requestsDoNotGrowWithPartsAndVersions() throws Exception {
    try (Nodes nodes = new Nodes(false)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      int most = 1 + 2 * (16 + 2);
      for (int number = 0; number < 3; number++) {
        int bytes = BYTES << (2 * number);
        int parts = number == 0 ? 1 : 3000;
        MemorySegment memory = nodes.bytes(bytes, number);
        trainer.publish(manifest(number, bytes, parts), VersionReader.of(memory));
        try (Pulled pulled = pull(nodes, worker, trainer, number, List.of())) {
          int requests = pulled.report().requests();
          assertTrue(requests <= most, number + ": " + requests);
        }
      }
    }
  }

  @Test
  void aVersionIsWaitedFor() throws Exception {
    try (Nodes nodes = new Nodes(true)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      MemorySegment bytes = nodes.bytes(BYTES, 2);
      trainer.publish(manifest(1, BYTES, 1), VersionReader.of(nodes.bytes(BYTES, 1)));
      CompletableFuture<Pulled> waiting =
          CompletableFuture.supplyAsync(() -> pull(nodes, worker, trainer, 2, List.of()));
      Thread.sleep(200);
      assertFalse(waiting.isDone());
      trainer.publishCopy(manifest(2, BYTES, 1), VersionReader.of(bytes));
      try (Pulled pulled = waiting.get()) {
        assertEquals(2, pulled.manifest().id().number());
        assertTrue(same(bytes, made.getFirst()));
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
      try (Pulled one = pull(nodes, first, trainer, 1, List.of());
          Pulled two = pull(nodes, second, trainer, 1, List.of(peer("first", first)))) {
        assertEquals(BYTES, one.report().bytesFrom().get("trainer"));
        long relayed = two.report().bytesFrom().get("first");
        assertTrue(relayed > BYTES * 3L / 4, relayed + " of " + BYTES);
        assertTrue(same(bytes, made.get(1)));
      }
    }
  }

  @Test
  void receiversExchangeWhatTheyHave() throws Exception {
    try (Nodes nodes = new Nodes(false)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode first = nodes.open("first");
      TransferNode second = nodes.open("second");
      MemorySegment bytes = nodes.bytes(BYTES, 1);
      AtomicInteger pause = new AtomicInteger();
      VersionReader slow =
          (at, scratch) -> {
            pause(pause.get());
            return VersionReader.of(bytes).read(at, scratch);
          };
      trainer.publish(manifest(1, BYTES, 4), slow);
      pull(nodes, nodes.open("warm"), trainer, 1, List.of()).close();
      made.clear();
      pause.set(4);
      CompletableFuture<Pulled> other =
          CompletableFuture.supplyAsync(
              () -> pull(nodes, first, trainer, 1, List.of(peer("second", second))));
      try (Pulled two = pull(nodes, second, trainer, 1, List.of(peer("first", first)));
          Pulled one = other.get()) {
        long sent =
            one.report().bytesFrom().get("trainer") + two.report().bytesFrom().get("trainer");
        assertTrue(sent < BYTES * 3L / 2, "the trainer sent " + sent + " of " + 2 * BYTES);
        assertTrue(same(bytes, made.get(0)) && same(bytes, made.get(1)));
      }
    }
  }

  @Test
  void anOlderEpochIsRefused() throws Exception {
    try (Nodes nodes = new Nodes(true)) {
      TransferNode trainer = nodes.open("trainer");
      TransferNode worker = nodes.open("worker");
      Publication old =
          trainer.publish(manifest(1, BYTES, 1), VersionReader.of(nodes.bytes(BYTES, 1)));
      trainer.epoch(1);
      old.released().get();
      IOException e = assertThrows(IOException.class, () -> tryPull(nodes, worker, trainer, 0));
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
      assertEquals("actor_infer version 2 of epoch 0 came in epoch 1", late.getMessage());
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
              () ->
                  worker.pull(
                      wanted, peer("trainer", trainer), List.of(), m -> nodes.into(made, m)));
      String says =
          "no version of critic from node "
              + peer("trainer", trainer)
              + ": it refuses: it has no such version";
      assertEquals(says, e.getMessage());
    }
  }

  private Pulled pull(
      Nodes nodes, TransferNode by, TransferNode from, long number, List<TransferPeer> peers) {
    try {
      return by.pull(atLeast(number), peer("trainer", from), peers, m -> nodes.into(made, m));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void tryPull(Nodes nodes, TransferNode by, TransferNode from, long number)
      throws Exception {
    by.pull(atLeast(number), peer("trainer", from), List.of(), m -> nodes.into(made, m)).close();
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
