package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.data.RandomStreams;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;
import roll.api.strategy.StructuredOutput;
import roll.sampling.grammar.Grammar;
import roll.testkit.ReferenceSampler;

/**
 * Whole responses, token by token against {@link ReferenceSampler} on a forward pass without cache.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ReferenceTest {
  private static final List<Integer> STOPS = List.of(2, 426);
  private static final Sampling WARM = Sampling.of(70).withTemperature(0.9);

  private final Stories stories = new Stories();
  private final InferSession session = stories.open(4);
  private final Tokenizer tokenizer = stories.tokenizer();
  private final List<byte @Nullable []> vocabulary =
      IntStream.range(0, tokenizer.size()).mapToObj(tokenizer::bytes).toList();
  private final Map<StructuredOutput, Grammar> grammars = new HashMap<>();

  @AfterAll
  void close() {
    session.close();
    tokenizer.close();
    stories.close();
  }

  private void assertDrawnByReference(Sampling sampling) {
    List<GenerationRequest> requests = new ArrayList<>();
    for (int[] prompt : List.of(new int[] {1}, Stories.prompts(5).getLast())) {
      requests.addAll(new GenerationRequest(prompt, sampling, STOPS, 5).sequences(3));
    }
    List<Generation> generations = session.generate(requests).join();
    for (int i = 0; i < requests.size(); i++) {
      assertDrawnByReference(requests.get(i), generations.get(i));
    }
  }

  private void assertDrawnByReference(GenerationRequest request, Generation generation) {
    int[] prompt = request.prompt();
    int[] all = Arrays.copyOf(prompt, prompt.length + generation.tokens().length);
    System.arraycopy(generation.tokens(), 0, all, prompt.length, generation.tokens().length);
    float[][] logits = stories.logits(all);
    for (int i = 0; i < generation.tokens().length; i++) {
      int at = prompt.length + i;
      int token = all[at];
      double[] plain = distribution(logits[at - 1], Sampling.of(1), request, all, i);
      assertEquals(Math.log(plain[token]), generation.logProbs()[i], Stories.ROUNDING);
      double[] drawn = distribution(logits[at - 1], request.sampling(), request, all, i);
      assertTrue(drawn[token] > 0, "token " + i + " cannot be drawn");
      assertEquals(Math.log(drawn[token]), generation.samplingLogProbs()[i], 2 * Stories.ROUNDING);
      double uniform = RandomStreams.of(request.seed(), "sample", i).nextDouble();
      double below = Arrays.stream(drawn).limit(token).sum();
      if (request.sampling().temperature() > 0) {
        assertTrue(uniform > below - 1e-4, "token " + i + " is too far up");
        assertTrue(uniform < below + drawn[token] + 1e-4, "token " + i + " is too far down");
      }
    }
  }

  /** Returns the random number of token {@code i} of the response. */
  private double[] distribution(
      float[] logits, Sampling sampling, GenerationRequest request, int[] all, int i) {
    int[] prompt = request.prompt();
    Set<Integer> seen = new HashSet<>();
    Arrays.stream(all).limit(prompt.length + i).forEach(seen::add);
    Set<Integer> banned = i < sampling.minNewTokens() ? Set.copyOf(request.stopTokens()) : Set.of();
    int[] written = Arrays.copyOfRange(all, prompt.length, prompt.length + i);
    Set<Integer> allowed = new HashSet<>();
    for (String choice : sampling.choices()) {
      int[] tokens = tokenizer.encode(choice);
      if (Arrays.equals(tokens, written)) {
        allowed.addAll(request.stopTokens());
      } else if (Arrays.mismatch(tokens, written) == i) {
        allowed.add(tokens[i]);
      }
    }
    StructuredOutput output = sampling.structuredOutput();
    if (output != null) {
      Grammar grammar = grammars.computeIfAbsent(output, Grammar::of);
      allowed.addAll(continuations(grammar, written, request.stopTokens()));
    }
    return ReferenceSampler.probabilities(logits, sampling, seen, banned, allowed);
  }

  @Test
  void filters() {
    assertDrawnByReference(WARM);
    assertDrawnByReference(WARM.withTopK(5));
    assertDrawnByReference(WARM.withTopP(0.8));
    assertDrawnByReference(WARM.withMinP(0.15));
    assertDrawnByReference(WARM.withTemperature(1.4).withTopK(30).withTopP(0.9).withMinP(0.05));
  }

  @Test
  void repetitionPenaltyCountsPromptAndResponse() {
    assertDrawnByReference(WARM.withRepetitionPenalty(1.5));
    assertDrawnByReference(WARM.withRepetitionPenalty(0.9).withTopP(0.9));
    assertDrawnByReference(Sampling.greedy(70).withRepetitionPenalty(1.2));
  }

  @Test
  void leastLength() {
    assertDrawnByReference(WARM.withMinNewTokens(40));
    assertDrawnByReference(Sampling.greedy(70).withMinNewTokens(40));
  }

  @Test
  void biasAndAllowedTokens() {
    Map<Integer, Double> bias = Map.of(2, -100.0, 426, -2.5, 300, 6.0);
    assertDrawnByReference(WARM.withLogitBias(bias));
    assertDrawnByReference(Sampling.greedy(70).withLogitBias(bias).withRepetitionPenalty(1.3));
    List<Integer> ids = IntStream.range(200, 440).boxed().toList();
    assertDrawnByReference(WARM.withAllowedTokenIds(ids));
    assertDrawnByReference(WARM.withAllowedTokenIds(ids).withLogitBias(bias).withTopP(0.9));
  }

  /** Returns the tokens that may follow {@code written}, each tried by itself. */
  private Set<Integer> continuations(Grammar grammar, int[] written, List<Integer> stops) {
    int state = grammar.start();
    for (int token : written) {
      state = stops.contains(token) ? state : after(grammar, state, token);
    }
    Set<Integer> allowed = new HashSet<>();
    for (int token = 0; token < vocabulary.size(); token++) {
      if (stops.contains(token)
          ? grammar.accepts(state)
          : vocabulary.get(token) != null && after(grammar, state, token) != Grammar.DEAD) {
        allowed.add(token);
      }
    }
    return allowed;
  }

  private int after(Grammar grammar, int state, int token) {
    int reached = state;
    for (byte one : Objects.requireNonNull(vocabulary.get(token))) {
      reached = reached == Grammar.DEAD ? reached : grammar.step(reached, one & 0xFF);
    }
    return reached;
  }

  @Test
  void structuredOutput() {
    var words = new StructuredOutput.Regex("( ?[A-Z]?[a-z]{1,6}[,.]?){1,9}|é日");
    assertDrawnByReference(WARM.withStructuredOutput(words));
    assertDrawnByReference(WARM.withTemperature(3).withTopP(0.9).withStructuredOutput(words));
    assertDrawnByReference(Sampling.greedy(70).withStructuredOutput(words));
    assertDrawnByReference(WARM.withStructuredOutput(StructuredOutput.Json.OBJECT));
  }

  @Test
  void choices() {
    List<String> choices = List.of("yes", "no", "yes sir", "Once upon a time there was a dog.");
    assertDrawnByReference(WARM.withChoices(choices));
    assertDrawnByReference(WARM.withTemperature(5).withTopP(0.9).withChoices(choices));
    assertDrawnByReference(Sampling.greedy(70).withChoices(choices).withRepetitionPenalty(3));
  }
}
