package roll.cluster.inference.weights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.cluster.Member;
import roll.cluster.identity.Authority;
import roll.cluster.inference.TestNode;
import roll.cluster.inference.weights.ReceivedWeights.Receipt;
import roll.cluster.testkit.TcpRelay;
import roll.cluster.transfer.PullReport;
import roll.testkit.JavaProcess;

/** Weights between members, over real sockets and memberships. */
@Tag("processes")
@Timeout(120)
class WeightTransferTest {
  private static PullReport report(Receipt receipt) {
    PullReport report = receipt.report();
    assertNotNull(report);
    return report;
  }

  @Test
  void versionsComeWithTheCertificatesOfTheRunAndFromPeersToo() throws Exception {
    Authority authority = Authority.create("test");
    try (WeightNode trainer = new WeightNode("first", 0, authority);
        WeightNode one = new WeightNode("one", trainer.port(), authority);
        WeightNode two = new WeightNode("two", trainer.port(), authority);
        WeightChannel channel = trainer.transfer.channel("actor_infer")) {
      for (WeightNode node : new WeightNode[] {one, two}) {
        channel.enter(node.peer());
      }
      for (long version = 1; version <= 3; version++) {
        PublishedWeights published = channel.publish(LargeWeights.of(version), version == 3);
        Receipt first = one.received.pull(one.first(), channel.offer(published, one.peer()));
        LargeWeights.of(version).assertIn(first.image());
        assertEquals(version == 3, first.image().narrow());
        Receipt second = two.received.pull(two.first(), channel.offer(published, two.peer()));
        LargeWeights.of(version).assertIn(second.image());
        assertEquals(published.all.manifest().bytes(), report(second).bytesFrom().get("one"));
        assertNull(two.received.pull(two.first(), channel.offer(published, two.peer())).report());
      }
    }
  }

  @Test
  void aNodeSaysWhatItHas() throws Exception {
    try (WeightNode trainer = new WeightNode("first", 0, null);
        WeightNode node = new WeightNode("one", trainer.port(), null)) {
      WeightStatus status = node.transfer.status();
      status.announced("actor_infer", 6);
      assertEquals(Map.of("weights", "actor_infer none, 6 behind"), status.facts());
      try (WeightChannel channel = trainer.transfer.channel("actor_infer")) {
        PublishedWeights published = channel.publish(LargeWeights.of(6), false);
        assertEquals("actor_infer 6", trainer.transfer.status().facts().get("weights"));
        Receipt receipt = node.received.pull(node.first(), channel.offer(published, node.peer()));
        node.received.taken(receipt);
        assertEquals("actor_infer 6", status.facts().get("weights"));
        assertTrue(String.valueOf(status.facts().get("pulled")).matches("[0-9]+ MB/s"));
        status.announced("actor_infer", 8);
        assertEquals("actor_infer 6, 2 behind", status.facts().get("weights"));
      }
      node.received.close();
      assertEquals(Map.of(), status.facts());
    }
  }

  @Test
  void adaptersComeAloneAfterTheFirstTime() throws Exception {
    try (WeightNode trainer = new WeightNode("first", 0, null);
        WeightNode node = new WeightNode("one", trainer.port(), null);
        WeightChannel channel = trainer.transfer.channel("actor_infer")) {
      long[] bytes = new long[3];
      for (int version = 0; version < 3; version++) {
        LargeWeights weights = LargeWeights.adapted(version);
        PublishedWeights published = channel.publish(weights, false);
        Receipt receipt = node.received.pull(node.first(), channel.offer(published, node.peer()));
        weights.assertIn(receipt.image());
        bytes[version] = report(receipt).bytes();
      }
      assertTrue(bytes[0] > 20_000_000);
      assertEquals(4 * 3 * (8 * 256 + 256 * 8), bytes[1]);
      assertEquals(bytes[1], bytes[2]);
    }
  }

  /** Only what was under way comes again. */
  @Test
  void aPullGoesOnAfterACut() throws Exception {
    try (WeightNode trainer = new WeightNode("first", 0, null);
        WeightNode node = new WeightNode("one", trainer.port(), null);
        TcpRelay gate = relay(trainer);
        WeightChannel channel = trainer.transfer.channel("actor_infer")) {
      PublishedWeights published = channel.publish(LargeWeights.of(1), false);
      WeightOffer offer =
          WeightNode.at(gate.address().getPort(), channel.offer(published, node.peer()));
      CompletableFuture<Receipt> pulling = pull(node, offer);
      gate.awaitReached();
      gate.cut();
      gate.open();
      Receipt receipt = pulling.get(30, TimeUnit.SECONDS);
      LargeWeights.of(1).assertIn(receipt.image());
      int again = report(receipt).again();
      assertTrue(again > 0 && again < 12, again + " of 20 chunks came again");
    }
  }

  @Test
  void theOlderVersionIsServedUntilItIsThere() throws Exception {
    assertEquals(1, versionThatComes(1).version());
  }

  /** More than two copies are not kept: who is so slow begins with the newest. */
  @Test
  void aReceiverThatIsTwoVersionsLateGetsTheNewest() throws Exception {
    assertEquals(3, versionThatComes(2).version());
  }

  /**
   * Returns the version that a receiver gets if newer ones are published while it pulls version 1.
   */
  private static NativeWeights versionThatComes(int newer) throws Exception {
    try (WeightNode trainer = new WeightNode("first", 0, null);
        WeightNode node = new WeightNode("one", trainer.port(), null);
        TcpRelay gate = relay(trainer);
        WeightChannel channel = trainer.transfer.channel("actor_infer")) {
      PublishedWeights published = channel.publish(LargeWeights.of(1), false);
      CompletableFuture<Receipt> pulling =
          pull(
              node, WeightNode.at(gate.address().getPort(), channel.offer(published, node.peer())));
      gate.awaitReached();
      for (int i = 0; i < newer; i++) {
        channel.publish(LargeWeights.of(2 + i), false);
      }
      gate.open();
      NativeWeights image = pulling.get(30, TimeUnit.SECONDS).image();
      LargeWeights.of(image.version()).assertIn(image);
      return image;
    }
  }

  /** The trainer does not wait, and nothing of the receiver is left. */
  @Test
  void aReceiverIsKilledInMidPull() throws Exception {
    try (WeightNode trainer = new WeightNode("first", 0, null);
        TcpRelay gate = relay(trainer);
        WeightChannel channel = trainer.transfer.channel("actor_infer")) {
      Process far =
          JavaProcess.of(WeightNode.class, TestNode.OPTIONS, String.valueOf(trainer.port()))
              .inheritIO()
              .start();
      try {
        Member member = trainer.awaitReceiver();
        PublishedWeights first = channel.publish(LargeWeights.of(1), false);
        CompletableFuture<Void> told =
            trainer.tell(
                member,
                WeightNode.at(gate.address().getPort(), channel.offer(first, trainer.peer())));
        gate.awaitReached();
        far.destroyForcibly().waitFor();
        assertThrows(Exception.class, () -> told.get(30, TimeUnit.SECONDS));
        gate.cut();
        channel.publish(LargeWeights.of(2), false);
        channel.publish(LargeWeights.of(3), false);
        assertNull(first.all.released().get(5, TimeUnit.SECONDS));
        try (WeightNode node = new WeightNode("one", trainer.port(), null)) {
          PublishedWeights last = channel.publish(LargeWeights.of(4), false);
          Receipt receipt = node.received.pull(node.first(), channel.offer(last, node.peer()));
          LargeWeights.of(4).assertIn(receipt.image());
          assertFalse(receipt.image().narrow());
        }
      } finally {
        far.destroyForcibly();
      }
    }
  }

  /** Returns a relay to {@code trainer} that holds back what follows the first 8 MiB. */
  private static TcpRelay relay(WeightNode trainer) throws IOException {
    return new TcpRelay(
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), trainer.transfer.port()),
        8 << 20,
        true);
  }

  private static CompletableFuture<Receipt> pull(WeightNode node, WeightOffer offer) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return node.received.pull(node.first(), offer);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        Thread::startVirtualThread);
  }
}
