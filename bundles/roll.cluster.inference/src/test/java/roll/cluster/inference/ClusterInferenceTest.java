package roll.cluster.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import roll.api.strategy.EngineLoad;
import roll.api.strategy.Generation;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.TokenBatch;
import roll.cluster.NodeLostException;
import roll.decoder.DecoderParameters;
import roll.testkit.JavaProcess;

/** Strategies of other nodes, with real frameworks, membership and processes. */
class ClusterInferenceTest extends InferenceTestBase {
  ClusterInferenceTest(@TempDir Path folder) {
    super(folder);
  }

  /** Generates on one process alone. */
  private List<Generation> alone(int count) throws Exception {
    try (InferSession session = new SeededStrategy(0).open(config(4))) {
      session.update(TestWeights.of(3)).join();
      return session.generate(requests(count)).join();
    }
  }

  @Test
  void aStrategyOfAnotherNodeIsAService() throws Exception {
    SeededStrategy far = new SeededStrategy(0);
    try (TestNode first = new TestNode(folder, "first", 0);
        TestNode second = new TestNode(folder, "second", first.membership.self().port())) {
      ServiceRegistration<InferStrategy> offered = second.offer(far);
      TestNode.await(() -> first.imported() == 1);
      ServiceReference<InferStrategy> reference =
          first
              .context()
              .getServiceReferences(InferStrategy.class, "(roll.strategy=also)")
              .iterator()
              .next();
      assertEquals("second", reference.getProperty("roll.node"));
      assertArrayEquals(
          new String[] {"roll.cluster"},
          (String[]) reference.getProperty("service.imported.configs"));
      assertEquals(
          Long.toHexString(second.membership.self().uid()),
          reference.getProperty("endpoint.framework.uuid"));
      assertTrue(reference.getProperty("endpoint.id") instanceof String);
      try (InferSession session = first.context().getService(reference).open(config(4))) {
        session.update(TestWeights.of(3)).join();
        assertSame(alone(9), session.generate(requests(9)).join());
        TokenBatch batch = new TokenBatch(new int[] {0, 3}, new int[] {1, 2, 3}, new boolean[3]);
        double sum = session.score(batch).join().logProbs()[0] - 1 - List.of().hashCode();
        assertEquals(TestWeights.sum(3), sum, 0);
        assertEquals(Map.of("seeded/version", 3.0), session.metrics());
        assertEquals(new EngineLoad(0.25, 2, 3), session.load().join());
        assertEquals(-1, session.peakMemory().getFirst().device());
        session.sleep().join();
        session.wake().join();
        assertEquals(1, far.open.get());
      }
      assertEquals(0, far.open.get());
      offered.unregister();
      TestNode.await(() -> first.imported() == 0);
    }
  }

  @Test
  void nodesComeAndGoInMidRun() throws Exception {
    SeededStrategy near = new SeededStrategy(40);
    SeededStrategy far = new SeededStrategy(40);
    List<Generation> expected = alone(200);
    try (TestNode first = new TestNode(folder, "first", 0);
        InferSession pool = first.placement().open(config(4), near, lines::add)) {
      pool.update(TestWeights.of(3)).join();
      CompletableFuture<List<Generation>> call = pool.generate(requests(200));
      try (TestNode second = new TestNode(folder, "second", first.membership.self().port())) {
        second.offer(far);
        assertSame(expected, call.get(60, TimeUnit.SECONDS));
        TestNode.await(() -> lines.stream().anyMatch(line -> line.contains("joined actor_infer")));
        assertSame(expected, pool.generate(requests(200)).get(60, TimeUnit.SECONDS));
        assertTrue(far.answered.get() > 40, far.answered + " were answered by the node that came");
        Map<String, Double> metrics = pool.metrics();
        assertEquals(2.0, metrics.get("cluster/engines"));
        assertEquals(new EngineLoad(0.25, 4, 6), pool.load().join());
        assertEquals(3.0, metrics.get("seeded/version"));
        int before = far.begun.get();
        call = pool.generate(requests(200));
        TestNode.await(() -> far.begun.get() > before);
      }
      assertSame(expected, call.get(60, TimeUnit.SECONDS));
      assertEquals(0, first.imported());
      assertSame(expected, pool.generate(requests(200)).get(60, TimeUnit.SECONDS));
    }
  }

  /** An update is over when this process has it; a node gets work when it has the newest. */
  @Test
  void anUpdateWaitsForNoNode() throws Exception {
    SeededStrategy far = new SeededStrategy(20);
    try (TestNode first = new TestNode(folder, "first", 0);
        TestNode second = new TestNode(folder, "second", first.membership.self().port());
        InferSession pool = first.placement().open(config(4), new SeededStrategy(20), lines::add)) {
      second.offer(far);
      pool.update(TestWeights.of(3)).join();
      TestNode.await(() -> lines.stream().anyMatch(line -> line.contains("joined actor_infer")));
      far.updating = new CompletableFuture<>();
      pool.update(TestWeights.of(4)).get(30, TimeUnit.SECONDS);
      pool.generate(requests(40)).get(60, TimeUnit.SECONDS);
      assertEquals(0, far.answered.get());
      pool.update(TestWeights.of(5)).get(30, TimeUnit.SECONDS);
      TestNode.await(() -> second.facts().containsValue("actor_infer 3, 2 behind"));
      far.updating.complete(null);
      TestNode.await(() -> second.facts().containsValue("actor_infer 5"));
      TestNode.await(
          () -> {
            List<Generation> written = pool.generate(requests(40)).get(60, TimeUnit.SECONDS);
            written.forEach(each -> assertEquals(5, each.weightVersions()[0]));
            return far.answered.get() > 0;
          });
    }
  }

  /** The engine of this process reads the copy that is made for others. */
  @Test
  void weightsOfOtherProcessesAreReadOnce() throws Exception {
    FarWeights far = new FarWeights(TestWeights.of(3), new AtomicLong());
    try (TestNode first = new TestNode(folder, "first", 0);
        InferSession pool = first.placement().open(config(4), new SeededStrategy(0), lines::add)) {
      pool.update(far).join();
      assertSame(alone(9), pool.generate(requests(9)).get(60, TimeUnit.SECONDS));
      assertEquals(DecoderParameters.size(far.spec()) * Float.BYTES, far.bytes().get());
    }
  }

  @Test
  void oneThatCannotTakeWeightsTakesNoPart() throws Exception {
    SeededStrategy far = new SeededStrategy(0);
    try (TestNode first = new TestNode(folder, "first", 0);
        TestNode second = new TestNode(folder, "second", first.membership.self().port())) {
      second.offer(far);
      TestNode.await(() -> first.imported() == 1);
      try (InferSession pool =
          first.placement().open(config(4), new SeededStrategy(0), lines::add)) {
        far.failing = true;
        pool.update(TestWeights.of(3)).join();
        TestNode.await(() -> lines.stream().anyMatch(line -> line.contains("takes no part")));
        assertSame(alone(16), pool.generate(requests(16)).get(60, TimeUnit.SECONDS));
        assertEquals(1.0, pool.metrics().get("cluster/engines"));
      }
    }
  }

  @Test
  void aStrategyThatIsStoppedEndsWhatItHas() throws Exception {
    SeededStrategy far = new SeededStrategy(300);
    try (TestNode first = new TestNode(folder, "first", 0);
        TestNode second = new TestNode(folder, "second", first.membership.self().port())) {
      ServiceRegistration<InferStrategy> offered = second.offer(far);
      TestNode.await(() -> first.imported() == 1);
      SeededStrategy near = new SeededStrategy(300);
      try (InferSession pool = first.placement().open(config(4), near, lines::add)) {
        pool.update(TestWeights.of(3)).join();
        CompletableFuture<List<Generation>> call = pool.generate(requests(16));
        TestNode.await(() -> far.begun.get() > 0);
        offered.unregister();
        assertEquals(4, far.answered.get());
        assertEquals(0, far.open.get());
        assertSame(alone(16), call.get(60, TimeUnit.SECONDS));
        assertEquals(12, near.answered.get());
        assertEquals(0.0, pool.metrics().get("cluster/reissued"));
      }
    }
  }

  @Test
  void whatAKilledNodeHadIsIssuedAgain() throws Exception {
    List<Generation> expected = alone(16);
    Path log = folder.resolve("far.log");
    try (TestNode first = new TestNode(folder, "first", 0)) {
      Process far =
          JavaProcess.of(
                  TestNode.class,
                  TestNode.OPTIONS,
                  folder.toString(),
                  String.valueOf(first.membership.self().port()))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try (InferSession pool =
          first.placement().open(config(4), new SeededStrategy(500), lines::add)) {
        pool.update(TestWeights.of(3)).join();
        TestNode.await(() -> lines.stream().anyMatch(line -> line.contains("joined actor_infer")));
        InferSession direct = first.remote().open(config(4));
        CompletableFuture<List<Generation>> open = direct.generate(requests(1));
        CompletableFuture<List<Generation>> call = pool.generate(requests(16));
        TestNode.await(() -> Collections.frequency(Files.readAllLines(log), TestNode.BEGUN) > 1);
        far.destroyForcibly().waitFor();
        assertSame(expected, call.get(60, TimeUnit.SECONDS));
        NodeLostException lost =
            assertInstanceOf(
                NodeLostException.class,
                assertThrows(CompletionException.class, open::join).getCause());
        assertTrue(String.valueOf(lost.getMessage()).contains("node far"), lost.getMessage());
        TestNode.await(() -> first.imported() == 0);
        assertTrue(
            lines.stream().anyMatch(line -> line.endsWith("1 calls are issued again")),
            lines::toString);
        assertFalse(pool.metrics().containsKey("cluster/far/tokens"));
      } finally {
        far.destroyForcibly();
      }
    }
  }
}
