package roll.cluster.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.api.strategy.SessionConfig;

/** Sessions with seeded models on several nodes. */
@Tag("processes")
@Timeout(180)
abstract class InferenceTestBase {
  /** Lines that nodes log. */
  final List<String> lines = new CopyOnWriteArrayList<>();

  final Path folder;

  InferenceTestBase(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Returns the configuration of a session. */
  final SessionConfig config(int batch) throws Exception {
    return TestWeights.config(folder, batch);
  }

  /** Returns requests for five tokens each. */
  static List<GenerationRequest> requests(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new GenerationRequest(new int[] {i, 2}, Sampling.of(5), List.of(), i))
        .toList();
  }

  /** Asserts that tokens, log-probs and weight versions are equal. */
  static void assertSame(List<Generation> expected, List<Generation> found) {
    assertEquals(expected.size(), found.size());
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i).tokens(), found.get(i).tokens());
      assertArrayEquals(expected.get(i).logProbs(), found.get(i).logProbs());
      assertArrayEquals(expected.get(i).weightVersions(), found.get(i).weightVersions());
    }
  }
}
