package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;

/** Tests dependencies, ends and refusals of responses. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GenerationTest {
  private final Stories stories = new Stories();
  private final InferSession session = stories.open(8);

  @AfterAll
  void close() {
    session.close();
    stories.close();
  }

  /** Requests of every kind, of mixed lengths and limits, some with equal prompts. */
  private static List<GenerationRequest> mixed() {
    List<Sampling> kinds =
        List.of(
            Stories.GREEDY,
            Stories.WARM,
            Stories.WARM.withMinP(0.1).withTopP(1),
            Stories.WARM.withRepetitionPenalty(1.3),
            Stories.GREEDY.withRepetitionPenalty(1.2).withTopK(3),
            Stories.WARM.withStopStrings(List.of("e", "girl")).withMinNewTokens(3),
            Stories.WARM.withChoices(List.of("yes", "no", "yes sir")),
            Stories.WARM.withMinNewTokens(9).withTopK(0));
    List<GenerationRequest> requests = new ArrayList<>();
    int seed = 0;
    for (int[] prompt : Stories.prompts(9)) {
      Sampling sampling = kinds.get(seed % kinds.size());
      sampling = sampling.withMaxNewTokens(1 + 5 * (seed % 5));
      requests.add(new GenerationRequest(prompt, sampling, List.of(2, 426), seed++));
      sampling = kinds.get(3 * seed % kinds.size());
      requests.add(new GenerationRequest(prompt, sampling, List.of(2), seed++));
    }
    return requests;
  }

  private static void assertSame(Generation expected, Generation actual) {
    assertArrayEquals(expected.tokens(), actual.tokens());
    assertArrayEquals(expected.logProbs(), actual.logProbs(), Stories.ROUNDING);
    assertArrayEquals(expected.samplingLogProbs(), actual.samplingLogProbs(), Stories.ROUNDING);
    assertEquals(expected.stopped(), actual.stopped());
  }

  /** Log-probs of the tokens of {@code generation} by one forward pass over everything. */
  private static double[] scored(InferSession session, int[] prompt, Generation generation) {
    int[] all = joined(prompt, generation);
    boolean[] scored = new boolean[all.length];
    Arrays.fill(scored, prompt.length, all.length, true);
    Scores scores = session.score(new TokenBatch(new int[] {0, all.length}, all, scored)).join();
    return Arrays.copyOfRange(scores.logProbs(), prompt.length, all.length);
  }

  private static int[] joined(int[] prompt, Generation generation) {
    int[] all = Arrays.copyOf(prompt, prompt.length + generation.tokens().length);
    System.arraycopy(generation.tokens(), 0, all, prompt.length, generation.tokens().length);
    return all;
  }

  @Test
  void aResponseDoesNotDependOnItsNeighbours() {
    List<GenerationRequest> requests = mixed();
    List<Generation> together = session.generate(requests).join();
    List<GenerationRequest> shuffled = new ArrayList<>(requests);
    Collections.reverse(shuffled);
    Collections.rotate(shuffled, 5);
    List<Generation> otherwise = session.generate(shuffled).join();
    try (InferSession alone = stories.open(1)) {
      for (int i = 0; i < requests.size(); i++) {
        GenerationRequest request = requests.get(i);
        assertSame(together.get(i), Stories.one(alone, request));
        assertSame(together.get(i), otherwise.get(shuffled.indexOf(request)));
      }
    }
  }

  @Test
  void cachedDecodingEqualsAFullForwardPass() {
    for (GenerationRequest request : mixed()) {
      Generation generation = Stories.one(session, request);
      assertArrayEquals(
          scored(session, request.prompt(), generation), generation.logProbs(), Stories.ROUNDING);
    }
  }

  @Test
  void cachedDecodingEqualsAFullForwardPassInBf16() {
    try (InferSession rounded = stories.open(Dtype.BF16, 8, Map.of())) {
      GenerationRequest request = mixed().get(13);
      Generation generation = Stories.one(rounded, request);
      assertArrayEquals(scored(rounded, request.prompt(), generation), generation.logProbs(), 0.25);
    }
  }

  @Test
  void scoresDoNotDependOnThePadding() {
    List<int[]> samples = new ArrayList<>();
    for (GenerationRequest request : mixed()) {
      samples.add(joined(request.prompt(), Stories.one(session, request)));
    }
    double[] together = scores(samples);
    double[] backwards = scores(samples.reversed());
    int at = 0;
    int back = together.length;
    for (int[] sample : samples) {
      double[] alone = scores(List.of(sample));
      back -= sample.length;
      assertArrayEquals(alone, Arrays.copyOfRange(together, at, at + sample.length), 1e-5);
      assertArrayEquals(alone, Arrays.copyOfRange(backwards, back, back + sample.length), 1e-5);
      at += sample.length;
    }
  }

  /** Log-probs of every token but the first of each sample, which have other lengths. */
  private double[] scores(List<int[]> samples) {
    int[] offsets = new int[samples.size() + 1];
    for (int i = 0; i < samples.size(); i++) {
      offsets[i + 1] = offsets[i] + samples.get(i).length;
    }
    int[] tokens = samples.stream().flatMapToInt(Arrays::stream).toArray();
    boolean[] scored = new boolean[tokens.length];
    Arrays.fill(scored, true);
    Arrays.stream(offsets).limit(samples.size()).forEach(first -> scored[first] = false);
    return session.score(new TokenBatch(offsets, tokens, scored)).join().logProbs();
  }

  @Test
  void seedsDecideWhatIsSampled() {
    int[] prompt = Stories.prompts(3).getLast();
    Generation first = Stories.one(session, Stories.request(prompt, Stories.WARM, 11));
    Generation again = Stories.one(session, Stories.request(prompt, Stories.WARM, 11));
    Generation other = Stories.one(session, Stories.request(prompt, Stories.WARM, 12));
    assertArrayEquals(first.tokens(), again.tokens());
    assertFalse(Arrays.equals(first.tokens(), other.tokens()));
  }

  @Test
  void theLikeliestOfOneIsGreedy() {
    int[] prompt = Stories.prompts(5).getLast();
    Sampling one = Sampling.of(30).withTemperature(1.3).withTopK(1);
    Sampling tiny = Sampling.of(30).withTemperature(1.3).withTopP(1e-9);
    Generation greedy =
        Stories.one(session, Stories.request(prompt, Stories.GREEDY.withMaxNewTokens(30), 1));
    assertSame(greedy, Stories.one(session, Stories.request(prompt, one, 1)));
    assertSame(greedy, Stories.one(session, Stories.request(prompt, tiny, 2)));
  }

  @Test
  void stopTokensEndAResponse() {
    int[] prompt = Stories.prompts(5).getLast();
    Generation whole = Stories.one(session, Stories.request(prompt, Stories.GREEDY, 1));
    int stop = whole.tokens()[6];
    int length = 1 + firstOf(whole.tokens(), stop);
    GenerationRequest stopping = new GenerationRequest(prompt, Stories.GREEDY, List.of(5, stop), 1);
    List<Generation> both =
        session.generate(List.of(Stories.request(prompt, Stories.GREEDY, 1), stopping)).join();
    assertSame(whole, both.get(0));
    assertTrue(both.get(1).stopped());
    assertArrayEquals(Arrays.copyOf(whole.tokens(), length), both.get(1).tokens());
  }

  private static int firstOf(int[] tokens, int token) {
    int at = 0;
    while (tokens[at] != token) {
      at++;
    }
    return at;
  }

  @Test
  void theContextEndsAResponse() {
    int[] prompt = new int[509];
    Arrays.fill(prompt, 403);
    Generation generation = Stories.one(session, Stories.request(prompt, Stories.GREEDY, 1));
    assertEquals(3, generation.tokens().length);
    assertFalse(generation.stopped());
  }

  @Test
  void noRequestsNoResponses() {
    assertEquals(List.of(), session.generate(List.of()).join());
  }

  @Test
  void refusesWhatTheModelCannotDo() {
    assertRefused(new int[0], Stories.GREEDY, "prompt: is empty");
    assertRefused(new int[512], Stories.GREEDY, "prompt: 512 tokens leave no room");
    assertRefused(new int[] {1, 512}, Stories.GREEDY, "prompt: token 512 is outside");
    TokenBatch tooLong = new TokenBatch(new int[] {0, 513}, new int[513], new boolean[513]);
    assertEquals(
        "text: has 513 tokens, allowed are 512 (max_position_embeddings of "
            + stories.folder().path()
            + ")",
        mistake(session.score(tooLong)));
  }

  private void assertRefused(int[] prompt, Sampling sampling, String start) {
    String message = mistake(session.generate(List.of(Stories.request(prompt, sampling, 1))));
    assertTrue(message.startsWith(start), message);
  }

  private static String mistake(CompletableFuture<?> failing) {
    CompletionException failure = assertThrows(CompletionException.class, failing::join);
    return ((UserException) failure.getCause()).getMessage();
  }

  @Test
  void refusesUnknownOptions() {
    String mistake =
        userError(() -> stories.open(Dtype.FP32, 1, Map.of("prefix_resue", true)).close());
    assertTrue(mistake.startsWith("actor_infer.strategy_args.strategy_config"), mistake);
  }
}
