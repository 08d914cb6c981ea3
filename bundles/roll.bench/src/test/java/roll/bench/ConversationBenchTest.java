package roll.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.WeightsHandle;
import roll.bench.ConversationBench.Measured;
import roll.model.qwen2.Qwen2Family;

class ConversationBenchTest {
  private static ConversationBench conversations(int positions) {
    Map<String, @Nullable Object> config = new LinkedHashMap<>(BenchModel.hundredMillion());
    config.put("max_position_embeddings", positions);
    return new ConversationBench(
        new BenchModel(
            "test", Path.of("none"), new Qwen2Family().describe("test", config), 1, 1, 1, 1),
        6);
  }

  /** Responds with token 7 up to the limit, and records the requests. */
  private static final class Parrot implements InferSession {
    private final boolean continuous;
    private final List<List<GenerationRequest>> calls = new ArrayList<>();

    Parrot(boolean continuous) {
      this.continuous = continuous;
    }

    @Override
    public boolean continuous() {
      return continuous;
    }

    @Override
    public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
      calls.add(requests);
      return CompletableFuture.completedFuture(
          requests.stream().map(r -> said(r.sampling().maxNewTokens())).toList());
    }

    private static Generation said(int count) {
      int[] tokens = new int[count];
      Arrays.fill(tokens, 7);
      return new Generation(tokens, new double[count], new double[count], false, 0);
    }

    /** Returns the requests in a fixed order. */
    List<String> asked() {
      return calls.stream()
          .flatMap(List::stream)
          .map(r -> Arrays.toString(r.prompt()) + r.sampling() + r.seed())
          .sorted()
          .toList();
    }

    @Override
    public CompletableFuture<Scores> score(TokenBatch batch) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> update(WeightsHandle weights) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  @Test
  void wavesAndContinuousSessionsAreAskedTheSame() {
    Parrot waves = new Parrot(false);
    Parrot alone = new Parrot(true);
    Measured inWaves = conversations(1024).hold(waves, 5, 3);
    Measured oneByOne = conversations(1024).hold(alone, 5, 3);
    assertEquals(6, waves.calls.size());
    assertEquals(30, alone.calls.size());
    assertEquals(waves.asked(), alone.asked());
    assertEquals(inWaves.tokens(), oneByOne.tokens());
    Parrot others = new Parrot(false);
    conversations(1024).hold(others, 5, 4);
    assertTrue(others.asked().stream().noneMatch(waves.asked()::contains));
  }

  @Test
  void aTurnIsAllThatWasSaidAndAnObservation() {
    Parrot waves = new Parrot(false);
    Measured said = conversations(1024).hold(waves, 4, 1);
    long tokens = 0;
    for (int i = 0; i < 4; i++) {
      int[] before = {};
      for (List<GenerationRequest> turn : waves.calls) {
        GenerationRequest request = turn.get(i);
        int observed = request.prompt().length - before.length;
        assertTrue(observed >= 16 && observed <= 48, () -> observed + " tokens observed");
        assertArrayEquals(before, Arrays.copyOf(request.prompt(), before.length));
        int limit = request.sampling().maxNewTokens();
        assertTrue(limit >= 8 && limit <= 64, () -> limit + " tokens at most");
        assertEquals(1, request.sampling().temperature());
        assertEquals(List.of(), request.stopTokens());
        before = Arrays.copyOf(request.prompt(), request.prompt().length + limit);
        Arrays.fill(before, request.prompt().length, before.length, 7);
        tokens += limit;
      }
    }
    assertEquals(tokens, said.tokens());
  }

  @Test
  void positionsAreNeverExceeded() {
    Parrot waves = new Parrot(false);
    conversations(100).hold(waves, 16, 1);
    assertTrue(waves.calls.size() < 6, () -> waves.calls.size() + " turns");
    for (List<GenerationRequest> turn : waves.calls) {
      for (GenerationRequest request : turn) {
        assertTrue(request.prompt().length + request.sampling().maxNewTokens() <= 100);
      }
    }
  }
}
