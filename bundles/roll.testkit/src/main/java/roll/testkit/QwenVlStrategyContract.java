package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;
import roll.api.strategy.WeightsHandle;

/** {@link VisionStrategyContract} with {@link TinyQwenVl}, for strategies over libtorch. */
public abstract class QwenVlStrategyContract extends VisionStrategyContract {
  private final Path folder;

  /**
   * Creates the test with the model in a new folder.
   *
   * @throws IOException if it cannot be written
   */
  protected QwenVlStrategyContract(Path folder) throws IOException {
    this(folder, false);
  }

  /**
   * Creates the test with the model in a new folder.
   *
   * @param deep whether it is a Qwen3-VL, with DeepStack
   * @throws IOException if it cannot be written
   */
  protected QwenVlStrategyContract(Path folder, boolean deep) throws IOException {
    Path shipped = Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");
    this.folder = deep ? TinyQwenVl.writeDeep(folder, shipped) : TinyQwenVl.write(folder, shipped);
  }

  /** Returns random weights of the model, freed by {@link #release}. */
  protected abstract WeightsHandle weights(long seed);

  /** Frees the weights that the test has opened. */
  protected abstract void release(WeightsHandle weights);

  @Override
  protected final Path model() {
    return folder;
  }

  @Override
  protected final int[] prompt() {
    return TinyQwenVl.prompt();
  }

  @Override
  protected final List<Picture> pictures() {
    return TinyQwenVl.pictures();
  }

  @Override
  protected final int vocabulary() {
    return TinyQwenVl.VOCABULARY;
  }

  @Override
  protected final Set<Integer> parts() {
    return TinyQwenVl.PARTS;
  }

  /** Returns a request for eight tokens after the prompt with the first picture. */
  protected final GenerationRequest request() {
    return new GenerationRequest(prompt(), Sampling.greedy(8), List.of(), 1)
        .withPictures(pictures().subList(0, 1));
  }

  /** Fails unless {@code requests} have the same responses together and each alone. */
  protected final void assertSameAlone(
      List<GenerationRequest> requests, List<Generation> together, InferSession apart) {
    for (int i = 0; i < requests.size(); i++) {
      Generation alone = apart.generate(List.of(requests.get(i))).join().getFirst();
      assertArrayEquals(alone.tokens(), together.get(i).tokens());
      assertArrayEquals(alone.logProbs(), together.get(i).logProbs(), tolerance());
    }
  }

  @ContractTest(
      value = "New weights invalidate cached image embeddings and KV blocks.",
      look = "update(weights): clear the caches, also where the weights are copied in place")
  void newWeightsClearCaches() {
    for (Dtype dtype : Dtype.values()) {
      assertForgets(dtype);
    }
  }

  private void assertForgets(Dtype dtype) {
    WeightsHandle other = weights(5);
    WeightsHandle third = weights(6);
    try (InferSession session = open(dtype);
        InferSession fresh = open(dtype)) {
      session.update(other).join();
      double[] before = session.generate(List.of(request())).join().getFirst().logProbs();
      session.update(third).join();
      fresh.update(third).join();
      double[] after = session.generate(List.of(request())).join().getFirst().logProbs();
      assertFalse(Arrays.equals(before, after));
      assertArrayEquals(fresh.generate(List.of(request())).join().getFirst().logProbs(), after, 0);
    } finally {
      release(other);
      release(third);
    }
  }

  @ContractTest(
      value = "A batch with pictures of different sizes has the results of each request alone.",
      look = "generate(): image grids and offsets by request")
  void picturesOfDifferentSizes() {
    int[] small = {4, TinyQwenVl.IMAGE, 6};
    int[] both = {TinyQwenVl.IMAGE, 6, TinyQwenVl.IMAGE, TinyQwenVl.IMAGE, 8};
    Picture one = TinyQwenVl.picture(28, 28, 3);
    Picture two = TinyQwenVl.picture(28, 56, 4);
    List<GenerationRequest> requests =
        List.of(
            request(),
            new GenerationRequest(small, Sampling.of(5), List.of(), 2).withPictures(List.of(one)),
            new GenerationRequest(both, Sampling.of(9), List.of(), 3)
                .withPictures(List.of(one, two)),
            new GenerationRequest(small, Sampling.of(2), List.of(), 4).withPictures(List.of(one)),
            new GenerationRequest(new int[] {3}, Sampling.of(7), List.of(), 5));
    try (InferSession session = open();
        InferSession apart = open()) {
      List<Generation> together = session.generate(requests).join();
      assertSameAlone(requests, together, apart);
    }
  }

  @ContractTest(
      value = "A refusal says which image token has no picture.",
      look = "generate(): the checks of pictures")
  void aMissingPictureIsRefused() {
    try (InferSession session = open()) {
      CompletionException failure =
          assertThrows(
              CompletionException.class,
              () -> session.generate(List.of(request().withPictures(List.of()))).join());
      assertEquals(
          "prompt: token 3 is an image placeholder, but there are only 0 pictures",
          assertInstanceOf(UserException.class, failure.getCause()).getMessage());
    }
  }
}
