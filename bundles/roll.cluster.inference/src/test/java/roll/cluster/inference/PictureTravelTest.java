package roll.cluster.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Sampling;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;

/** Calls that show pictures, to a node of its own membership. */
@Tag("processes")
@Timeout(180)
class PictureTravelTest {
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private final Path folder;

  PictureTravelTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private SessionConfig config(int batch) throws Exception {
    Path model = folder.resolve("model");
    Files.createDirectories(model);
    Files.writeString(model.resolve("config.json"), "{}");
    return TestWeights.config(model, batch);
  }

  private static List<GenerationRequest> requests(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new GenerationRequest(new int[] {i, 2}, Sampling.of(5), List.of(), i))
        .toList();
  }

  private static void assertSame(List<Generation> expected, List<Generation> found) {
    assertEquals(expected.size(), found.size());
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i).tokens(), found.get(i).tokens());
      assertArrayEquals(expected.get(i).logProbs(), found.get(i).logProbs());
    }
  }

  private static Picture picture(int megabytes, int number) {
    byte[] data = new byte[megabytes << 20];
    data[0] = (byte) number;
    return Picture.of(data);
  }

  /** More than a message holds, and as they are. */
  @Test
  void picturesTravel() throws Exception {
    List<Picture> pictures = IntStream.range(0, 5).mapToObj(i -> picture(3, i)).toList();
    List<GenerationRequest> requests =
        IntStream.range(0, 24)
            .mapToObj(i -> requests(24).get(i).withPictures(pictures.subList(i % 3, i % 6)))
            .toList();
    SeededStrategy far = new SeededStrategy(20);
    try (TestNode first = new TestNode(folder, "first", 0);
        TestNode second = new TestNode(folder, "second", first.membership.self().port());
        InferSession alone = new SeededStrategy(0).open(config(2))) {
      second.offer(far);
      alone.update(TestWeights.of(3)).join();
      InferStrategy strategy = first.remote();
      try (InferSession direct = strategy.open(config(2));
          InferSession pool =
              first.placement().open(config(2), new SeededStrategy(20), lines::add)) {
        direct.update(TestWeights.of(3)).join();
        assertSame(alone.generate(requests).join(), direct.generate(requests).join());
        TokenBatch batch =
            new TokenBatch(
                new int[] {0, 1, 2}, new int[] {7, 8}, new boolean[2], List.of(pictures, pictures));
        assertArrayEquals(
            alone.score(batch).join().logProbs(), direct.score(batch).join().logProbs());
        GenerationRequest huge = requests(1).getFirst().withPictures(List.of(picture(9, 1)));
        UserException refused =
            assertInstanceOf(
                UserException.class,
                assertThrows(CompletionException.class, () -> direct.generate(List.of(huge)).join())
                    .getCause());
        assertTrue(
            String.valueOf(refused.getMessage()).contains("has 9.00 MiB (at most"),
            refused.getMessage());
        assertSame(alone.generate(requests(3)).join(), direct.generate(requests(3)).join());

        pool.update(TestWeights.of(3)).join();
        TestNode.await(() -> lines.stream().anyMatch(line -> line.contains("joined actor_infer")));
        int before = far.answered.get();
        assertSame(
            alone.generate(requests).join(), pool.generate(requests).get(60, TimeUnit.SECONDS));
        assertTrue(far.answered.get() > before);
      }
    }
  }
}
