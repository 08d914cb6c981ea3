package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.config.UserException;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;

/** What a response depends on, when it ends, and what is refused. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GenerationTest {
  private final Stories stories = new Stories();
  private final InferSession session = stories.open(8);

  @AfterAll
  void close() {
    session.close();
    stories.close();
  }

  /** Greedy and sampled requests of mixed lengths and limits, some with equal prompts. */
  private static List<GenerationRequest> mixed() {
    List<GenerationRequest> requests = new ArrayList<>();
    int seed = 0;
    for (int[] prompt : Stories.prompts(9)) {
      Sampling sampling = seed % 3 == 0 ? Stories.GREEDY : Stories.WARM;
      requests.add(Stories.request(prompt, sampling.withMaxNewTokens(1 + 5 * (seed % 5)), seed++));
      requests.add(Stories.request(prompt, Stories.WARM, seed++));
    }
    return requests;
  }

  private static void assertSame(Generation expected, Generation actual) {
    assertArrayEquals(expected.tokens(), actual.tokens());
    assertArrayEquals(expected.logProbs(), actual.logProbs(), 1e-4);
    assertEquals(expected.stopped(), actual.stopped());
  }

  /** Log-probs of the tokens of {@code generation} by one forward pass over everything. */
  private static double[] scored(InferSession session, int[] prompt, Generation generation) {
    int[] all = Arrays.copyOf(prompt, prompt.length + generation.tokens().length);
    System.arraycopy(generation.tokens(), 0, all, prompt.length, generation.tokens().length);
    boolean[] scored = new boolean[all.length];
    Arrays.fill(scored, prompt.length, all.length, true);
    Scores scores = session.score(new TokenBatch(new int[] {0, all.length}, all, scored)).join();
    return Arrays.copyOfRange(scores.logProbs(), prompt.length, all.length);
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
        assertEquals(request.sampling().maxNewTokens(), together.get(i).tokens().length);
        assertSame(together.get(i), Stories.one(alone, request));
        assertSame(together.get(i), otherwise.get(shuffled.indexOf(request)));
      }
    }
  }

  @Test
  void cachedDecodingEqualsAFullForwardPass() {
    for (GenerationRequest request : mixed()) {
      Generation generation = Stories.one(session, request);
      assertArrayEquals(scored(session, request.prompt(), generation), generation.logProbs(), 1e-4);
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
    Sampling one = new Sampling(1.3, 1, 1, 30);
    Sampling tiny = new Sampling(1.3, 1e-9, 0, 30);
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
    assertRefused(new int[] {1}, new Sampling(0, 1, 0, 0), "max_new_tokens: found 0");
    assertRefused(new int[] {1}, new Sampling(-1, 1, 0, 4), "temperature: found -1.0");
    assertRefused(new int[] {1}, new Sampling(1, 1.5, 0, 4), "top_p: found 1.5");
    assertRefused(new int[] {1}, new Sampling(1, 1, -2, 4), "top_k: found -2");
  }

  private void assertRefused(int[] prompt, Sampling sampling, String start) {
    CompletionException failure =
        assertThrows(
            CompletionException.class,
            () -> session.generate(List.of(Stories.request(prompt, sampling, 1))).join());
    UserException mistake = (UserException) failure.getCause();
    assertTrue(mistake.getMessage().startsWith(start), mistake.getMessage());
  }

  @Test
  void refusesUnknownOptions() {
    UserException mistake =
        assertThrows(
            UserException.class,
            () -> stories.open(Dtype.FP32, 1, Map.of("prefix_resue", true)).close());
    assertTrue(
        mistake.getMessage().startsWith("actor_infer.strategy_args.strategy_config"),
        mistake.getMessage());
  }
}
