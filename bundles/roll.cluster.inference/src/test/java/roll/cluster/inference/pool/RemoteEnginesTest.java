package roll.cluster.inference.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.ServiceRegistration;
import roll.api.strategy.InferStrategy;
import roll.cluster.inference.SeededStrategy;
import roll.cluster.inference.TestNode;
import roll.cluster.inference.TestWeights;
import roll.cluster.inference.weights.PublishedWeights;
import roll.cluster.inference.weights.WeightChannel;
import roll.cluster.transfer.TransferPeer;

/** Peers that are offered for pulling weights, with real frameworks and membership. */
@Tag("processes")
@Timeout(120)
class RemoteEnginesTest {
  private static final TransferPeer LAST =
      new TransferPeer("last", InetSocketAddress.createUnresolved("last", 1));

  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private final Path folder;

  RemoteEnginesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static List<String> peers(WeightChannel channel, PublishedWeights published) {
    return channel.offer(published, LAST).peers().stream().map(TransferPeer::node).toList();
  }

  @Test
  void aNodeThatIsOutOfThePoolIsNotPulledFrom() throws Exception {
    SeededStrategy far = new SeededStrategy(0);
    try (TestNode first = new TestNode(folder, "first", 0);
        TestNode second = new TestNode(folder, "second", first.membership.self().port());
        WeightChannel channel = first.channel()) {
      EnginePool pool = new EnginePool(Thread::startVirtualThread, System::nanoTime, lines::add);
      try (RemoteEngines engines =
          new RemoteEngines(
              first.strategies,
              first.membership,
              TestWeights.config(folder, 4),
              false,
              pool,
              channel,
              lines::add)) {
        engines.open(
            engine -> {
              pool.join(engine, 1, true);
              return CompletableFuture.completedFuture(null);
            });
        PublishedWeights published = channel.publish(TestWeights.of(1), false);
        ServiceRegistration<InferStrategy> offered = second.offer(far);
        TestNode.await(() -> pool.engines().size() == 1);
        channel.enter(LAST);
        assertEquals(List.of("second"), peers(channel, published));
        offered.unregister();
        TestNode.await(() -> peers(channel, published).isEmpty());
        TestNode.await(() -> pool.engines().isEmpty());
        channel.leave(LAST);
        second.offer(far);
        TestNode.await(() -> pool.engines().size() == 1);
        channel.enter(LAST);
        assertEquals(List.of("second"), peers(channel, published));
        far.failing = true;
        EngineCommandQueue queue = pool.engines().getFirst().queue();
        if (queue == null) {
          throw new AssertionError("it is of another node");
        }
        var unused = queue.weights(published);
        TestNode.await(() -> peers(channel, published).isEmpty());
        assertEquals(List.of(), pool.engines());
      }
    }
  }
}
