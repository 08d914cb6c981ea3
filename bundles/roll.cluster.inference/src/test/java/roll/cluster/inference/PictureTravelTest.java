package roll.cluster.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.TokenBatch;

/** Calls that show pictures, to a node of its own membership. */
class PictureTravelTest extends InferenceTestBase {
  PictureTravelTest(@TempDir Path folder) {
    super(folder);
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
