package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Sampling;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.runtime.option.YamlOptions;

/**
 * The guarantees of an {@link InferStrategy} with a vision-language model besides {@link
 * StrategyContract}: responses depend on the pictures of their own prompt, regardless of caches and
 * batches.
 */
public abstract class VisionStrategyContract {
  private static final int WORDS = 6;

  /** Returns the strategy that scores and samples. */
  protected abstract InferStrategy inference();

  /** Returns the folder of a small vision-language model. */
  protected abstract Path model();

  /** Returns a prompt with the image tokens of one picture between other tokens. */
  protected abstract int[] prompt();

  /** Returns two different pictures that fit the prompt. */
  protected abstract List<Picture> pictures();

  /** Returns the size of the model's vocabulary. */
  protected abstract int vocabulary();

  /** Returns the image tokens, which are never sampled. */
  protected abstract Set<Integer> parts();

  /** Returns the {@code strategy_config} to test with. */
  protected Map<String, Object> options() {
    return Map.of();
  }

  /** Returns the allowed difference between a log-prob computed alone and in a batch. */
  protected double tolerance() {
    return 2e-5;
  }

  /** Opens a session on the model in fp32. */
  protected final InferSession open() {
    return open(WorkerConfig.Dtype.FP32);
  }

  /** Opens a session on the model. */
  protected final InferSession open(WorkerConfig.Dtype dtype) {
    WorkerConfig worker =
        new WorkerConfig(
            "actor_infer",
            ModelConfig.of(model(), dtype),
            "qwen2_5",
            "under_test",
            YamlOptions.strategy("actor_infer", options()),
            TrainingConfig.NONE,
            List.of(),
            16);
    return inference().open(new SessionConfig(worker, 42, 1, 64, true, 0));
  }

  private GenerationRequest request(int[] prompt, long seed, Picture... shown) {
    return new GenerationRequest(prompt, Sampling.of(WORDS), List.of(), seed)
        .withPictures(List.of(shown));
  }

  /** Returns requests with both pictures, the first one twice, and without a picture. */
  private List<GenerationRequest> requests() {
    Picture one = pictures().get(0);
    Picture other = pictures().get(1);
    return List.of(
        request(prompt(), 7, one),
        request(prompt(), 7, other),
        request(new int[] {1, 5, 2}, 7),
        request(prompt(), 8, one));
  }

  /** Returns the log-probs that scoring gives the response to {@code request}. */
  private double[] scores(InferSession session, GenerationRequest request, Generation written) {
    int[] text = joined(request.prompt(), written.tokens());
    boolean[] scored = new boolean[text.length];
    Arrays.fill(scored, request.prompt().length, text.length, true);
    TokenBatch batch =
        new TokenBatch(new int[] {0, text.length}, text, scored, List.of(request.pictures()));
    double[] all = session.score(batch).join().logProbs();
    return Arrays.copyOfRange(all, request.prompt().length, text.length);
  }

  private static int[] joined(int[]... parts) {
    return Stream.of(parts).flatMapToInt(Arrays::stream).toArray();
  }

  @ContractTest(
      value =
          "Responses to prompts with pictures have the log-probs of scoring: in a batch, "
              + "alone, and from the prefix cache.",
      look = "generate(): image embeddings, their positions, and the key of the prefix cache")
  void responsesToPicturesComeWithTheirLogProbs() {
    List<GenerationRequest> requests = requests();
    try (InferSession session = open();
        InferSession apart = open()) {
      List<Generation> together = session.generate(requests).join();
      List<Generation> again = session.generate(requests.reversed()).join().reversed();
      for (int i = 0; i < requests.size(); i++) {
        GenerationRequest request = requests.get(i);
        Generation alone = apart.generate(List.of(request)).join().getFirst();
        assertArrayEquals(together.get(i).tokens(), alone.tokens());
        assertArrayEquals(together.get(i).tokens(), again.get(i).tokens());
        assertArrayEquals(together.get(i).logProbs(), alone.logProbs(), tolerance());
        assertArrayEquals(together.get(i).logProbs(), again.get(i).logProbs(), tolerance());
        assertArrayEquals(scores(session, request, alone), alone.logProbs(), tolerance());
      }
    }
  }

  @ContractTest(
      value =
          "Greedy sampling takes the token that scoring finds most likely, never an image "
              + "token.",
      look = "generate(): the ban of image tokens")
  void greedySamplingTakesTheMostLikely() {
    int[] words =
        IntStream.range(0, vocabulary()).filter(word -> !parts().contains(word)).toArray();
    for (Picture picture : pictures()) {
      GenerationRequest request =
          new GenerationRequest(prompt(), Sampling.greedy(2), List.of(), 1)
              .withPictures(List.of(picture));
      try (InferSession session = open()) {
        int[] written = session.generate(List.of(request)).join().getFirst().tokens();
        for (int i = 0; i < written.length; i++) {
          int[] before = joined(prompt(), Arrays.copyOf(written, i));
          double[] logProbs = next(session, before, words, picture);
          int best =
              IntStream.range(0, words.length)
                  .reduce((a, b) -> logProbs[b] > logProbs[a] ? b : a)
                  .orElseThrow();
          assertEquals(words[best], written[i]);
        }
      }
    }
  }

  @ContractTest(
      value = "The probabilities of all tokens but the image tokens add up to 1.",
      look = "score(): remove image tokens before the log-softmax")
  void probabilitiesOfWordsAddUp() {
    int[] words =
        IntStream.range(0, vocabulary()).filter(word -> !parts().contains(word)).toArray();
    try (InferSession session = open()) {
      double[] logProbs = next(session, prompt(), words, pictures().getFirst());
      assertEquals(1, Arrays.stream(logProbs).map(Math::exp).sum(), 10 * tolerance());
      GenerationRequest request = request(prompt(), 7, pictures().getFirst());
      Generation written = session.generate(List.of(request)).join().getFirst();
      assertArrayEquals(written.samplingLogProbs(), written.logProbs(), tolerance());
    }
  }

  /** Returns the log-probs of each of {@code words} after {@code text}. */
  private static double[] next(InferSession session, int[] text, int[] words, Picture picture) {
    int length = text.length + 1;
    int[] offsets = IntStream.rangeClosed(0, words.length).map(i -> i * length).toArray();
    int[] tokens = new int[words.length * length];
    boolean[] scored = new boolean[tokens.length];
    for (int i = 0; i < words.length; i++) {
      System.arraycopy(text, 0, tokens, i * length, text.length);
      tokens[i * length + text.length] = words[i];
      scored[i * length + text.length] = true;
    }
    List<List<Picture>> shown = Collections.nCopies(words.length, List.of(picture));
    double[] all = session.score(new TokenBatch(offsets, tokens, scored, shown)).join().logProbs();
    return IntStream.range(0, words.length)
        .mapToDouble(i -> all[i * length + text.length])
        .toArray();
  }

  @ContractTest(
      value = "A prompt with another picture is another prompt, also in the prefix cache.",
      look = "the key of the prefix cache")
  void anotherPictureIsAnotherPrompt() {
    try (InferSession session = open()) {
      List<double[]> found = new ArrayList<>();
      for (Picture picture : List.of(pictures().get(0), pictures().get(1), pictures().get(0))) {
        GenerationRequest request = request(prompt(), 7, picture);
        Generation written = session.generate(List.of(request)).join().getFirst();
        int[] same = joined(prompt(), new int[] {1, 2, 3});
        boolean[] scored = new boolean[same.length];
        Arrays.fill(scored, prompt().length, same.length, true);
        TokenBatch batch =
            new TokenBatch(new int[] {0, same.length}, same, scored, List.of(List.of(picture)));
        found.add(session.score(batch).join().logProbs());
        assertEquals(WORDS, written.tokens().length);
      }
      assertArrayEquals(found.get(0), found.get(2), tolerance());
      double apart =
          IntStream.range(0, found.get(0).length)
              .mapToDouble(i -> Math.abs(found.get(0)[i] - found.get(1)[i]))
              .max()
              .orElseThrow();
      assertTrue(apart > 100 * tolerance(), () -> "log-probs are only " + apart + " apart");
    }
  }

  @ContractTest(
      value =
          "A turn that adds a picture after a cached prefix has the results of an uncached "
              + "one.",
      look = "generate(): positions after a cached picture")
  void turnsContinueAfterPictures() {
    Picture one = pictures().get(0);
    Picture other = pictures().get(1);
    GenerationRequest first = request(prompt(), 3, one);
    try (InferSession session = open();
        InferSession apart = open()) {
      int[] response = session.generate(List.of(first)).join().getFirst().tokens();
      int[] text = joined(prompt(), response, prompt());
      for (List<Picture> shown : List.of(List.of(one, other), List.of(one, one))) {
        GenerationRequest next = request(text, 4, shown.toArray(Picture[]::new));
        Generation written = session.generate(List.of(next)).join().getFirst();
        Generation fresh = apart.generate(List.of(next.withCacheSalt(9))).join().getFirst();
        assertArrayEquals(fresh.tokens(), written.tokens());
        assertArrayEquals(fresh.logProbs(), written.logProbs(), tolerance());
        assertArrayEquals(scores(session, next, written), written.logProbs(), tolerance());
      }
    }
  }

  @ContractTest(
      value =
          "Missing, surplus and broken pictures are refused in one line, and the session "
              + "continues.",
      look = "generate(): the checks of pictures before the batch is built")
  void invalidPicturesAreRefused() {
    Picture one = pictures().get(0);
    Picture broken = Picture.of(new byte[] {1, 2, 3});
    try (InferSession session = open()) {
      Generation before = session.generate(List.of(request(prompt(), 7, one))).join().getFirst();
      for (List<Picture> wrong : List.of(List.<Picture>of(), List.of(one, one), List.of(broken))) {
        GenerationRequest request = request(prompt(), 7, wrong.toArray(Picture[]::new));
        CompletionException failure =
            assertThrows(
                CompletionException.class, () -> session.generate(List.of(request)).join());
        UserException refused = assertInstanceOf(UserException.class, failure.getCause());
        assertTrue(!String.valueOf(refused.getMessage()).contains("\n"), refused.getMessage());
      }
      Generation after = session.generate(List.of(request(prompt(), 7, one))).join().getFirst();
      assertArrayEquals(before.tokens(), after.tokens());
    }
  }
}
